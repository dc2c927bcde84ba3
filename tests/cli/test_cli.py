"""The command line, with the real embedded pair."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median_low
from typing import Any

import pytest
from huggingface_hub import constants

from specviz import models
from specviz.cli import show
from specviz.cli.main import main
from specviz.folders import ASSETS
from specviz.models import Pair
from specviz.reporting import terminal
from specviz.reporting.player.scripts import STYLES
from specviz.runs.race import Race
from specviz.trace import files as traces
from specviz.trace.conditions import Conditions
from specviz.trace.metrics import Summary, speedup, speedup_with_prompt
from specviz.trace.records import Closing, ClosingToken, Drafted, Round, Stop, TokenBytes, Verdict
from tests.helpers.commands import Output, specviz

FIGURES = {
    *("text", "token_ids", "rounds", "drafted", "judged", "accepted", "acceptance_rate", "tokens_per_round", "seconds"),
    *("tokens_per_second", "stop", "dtype", "rule", "lossy"),
}
PAIR = ("--pair", "embedded", "--dtype", "float32", "--device", "cpu")
PROMPT = "Once upon a time there was a little"
PROGRAM = (sys.executable, "-m", "specviz")
# Drafts by the draft model, in every round: a test of accepted and rejected tokens needs them on any machine.
FIXED = ("--drafter", "model", "--policy", "fixed")


@dataclass(frozen=True)
class SavedRun:
    printed: Output
    file: Path


def program(*args: str, **environment: str) -> Output:
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [*PROGRAM, *args], env=plain | environment, capture_output=True, encoding="utf-8", timeout=600, check=False
    )
    return Output(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> SavedRun:
    file = tmp_path_factory.mktemp("cli") / "run.json"
    return SavedRun(specviz("run", PROMPT, *PAIR, *FIXED, "--k", 4, "--max-new-tokens", 24, "--trace", file), file)


@pytest.fixture(autouse=True)
def _in_memory(saved: SavedRun, embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that made the recording loaded the embedded pair; the others get the one of the tests."""
    load = models.load_pair

    def loaded(name: str | None = None, **options: Any) -> Pair:
        asked = (name, options["head"], options["device"], options["dtype"])
        return embedded if asked == ("embedded", None, "cpu", "float32") else load(name, **options)

    monkeypatch.setattr(models, "load_pair", loaded)


def test_run_shows_every_round_and_every_figure(saved: SavedRun) -> None:
    """Each round is one line with its number and all its marks in order, and the summary names every figure; what is no terminal gets no escape
    sequences."""
    (trace,) = traces.read_file(saved.file)
    assert (saved.printed.code, saved.printed.err) == (0, "")
    assert "\x1b" not in saved.printed.out
    lines = saved.printed.out.splitlines()
    assert sum("✓ accepted" in line for line in lines) == 1
    for number, round_ in enumerate(trace.rounds, 1):
        (line,) = [line for line in lines if line.split()[:1] == [str(number)]]
        marks = [STYLES[drafted.verdict.value].mark for drafted in round_.drafted]
        if round_.closing is not None:
            marks.append(STYLES[round_.closing.how.value if round_.drafted else "own"].mark)
        assert [token[0] for token in line.split()[3:]] == marks
        assert line.split()[2] == "ms"
    for name in ("text", "tokens", "rounds", "accepted / checked", "tokens per round", "seconds", "tokens per second"):
        assert sum(line[:20].strip() == name for line in lines) == 1, name
    assert [line.split()[:2] for line in lines[-3:]] == [["stop", "length"], ["dtype", "float32"], ["device", "cpu"]]


@pytest.mark.slow
def test_colour_follows_the_environment(saved: SavedRun) -> None:
    """Colour can be forced in addition to the same marks, also in a pipe whose encoding is not UTF-8."""
    coloured = program("replay", str(saved.file), FORCE_COLOR="1", TERM="xterm", PYTHONIOENCODING="ascii").out
    assert all(mark in coloured for mark in ("\x1b[32m✓", "\x1b[31m✕", "\x1b[2m–", "\x1b[33m✎"))


def test_replay_prints_what_the_run_printed_and_needs_no_torch(saved: SavedRun, tmp_path: Path) -> None:
    """A saved run is printed line by line as it was when it ran; neither torch nor transformers is imported. The JSON has the figures of every
    trace in the recording, in order."""
    code = "import sys; from specviz.cli.main import main; assert main(sys.argv[1:]) == 0; "
    code += "sys.exit(','.join({'torch', 'transformers'} & sys.modules.keys()) or 0)"
    command = [sys.executable, "-c", code, "replay", str(saved.file)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert Output(done.returncode, done.stdout, done.stderr) == saved.printed
    twice = tmp_path / "twice.json"
    traces.write_file(twice, traces.read_file(saved.file) * 2)
    summaries = specviz("replay", str(twice), "--json").json["traces"]
    assert [set(figures) for figures in summaries] == [{*FIGURES, "acceptance"}] * 2
    assert summaries[0]["token_ids"] == list(traces.read_file(saved.file)[0].token_ids)


@pytest.mark.slow
def test_race_json_has_the_agreed_fields_and_the_median_pair_is_saved_in_full(tmp_path: Path) -> None:
    """With --trace both runs of the median pair are saved, speculative first, with every candidate, and replayed as such. A race itself:
    `tests/runs/test_race.py`."""
    file = tmp_path / "race.json"
    few = ("--max-new-tokens", "8", "--repeats", "2", "--json", "--trace", file)
    outcome = specviz("race", PROMPT, *PAIR, *FIXED, *few)
    race = outcome.json
    assert (outcome.code, outcome.err) == (0, "")
    assert set(race) == {
        *("plain", "speculative", "speedup", "speedup_with_prompt", "speedups", "same_text", "first_divergence"),
        *("trusted", "busy", "conditions", "notes", "settings", "plan"),
    }
    assert set(race["plain"]) == set(race["speculative"]) == FIGURES
    assert (race["same_text"], race["first_divergence"]) == (True, None)
    assert len(race["speedups"]) == race["conditions"]["turns"] - race["conditions"]["left_out"]
    # other programs may have taken the cores while this test ran: then there is no headline
    assert race["trusted"] is (race["busy"] is None) is (race["speedup"] is not None)
    speculative, plain = traces.read_file(file)
    assert plain.card.draft is None
    assert all(round_.closing and round_.closing.residual_top.tokens for round_ in (*speculative.rounds, *plain.rounds))
    assert speedup(plain, speculative) == median_low(race["speedups"])
    replayed = specviz("replay", str(file))
    assert replayed.code == 0
    assert f"\nspeedup             {round(speedup(plain, speculative), 2):.2f}× (" in replayed.out
    assert f"\nwith the prompt     {speedup_with_prompt(plain, speculative):.2f}× (" in replayed.out


def test_a_lossy_rule_is_announced_in_capitals(saved: SavedRun) -> None:
    """By a run, and by its replay."""
    (trace,) = traces.read_file(saved.file)
    lossy = replace(trace, settings=replace(trace.settings, rule="lenient", lenience=0.25, temperature=0.9))
    lines = [line.plain for line in show.trace_lines(lossy)]
    assert sum(line.startswith("LOSSY               the lenient rule") for line in lines) == 1


@pytest.mark.slow
def test_earlier_texts_come_from_files(saved: SavedRun, tmp_path: Path) -> None:
    """From a recording and from a text: what is copied from them says so, and the recording has them. What cannot be read is one sentence."""
    words, again = tmp_path / "words.txt", tmp_path / "second.json"
    words.write_text("Zebra quilts", encoding="utf-16")
    run = ("run", PROMPT, *PAIR, *["--drafter", "suffix", "--policy", "fixed", "--tokens", "12", "--trace"], again)
    assert "of earlier text 2" in specviz(*run, "--earlier", words, "--earlier", saved.file).out
    (first,), (second,) = traces.read_file(saved.file), traces.read_file(again)
    assert second.earlier[1:] == ((*first.prompt_ids, *first.token_ids),)
    assert b"".join(second.tokens[token].data for token in second.earlier[0]).strip() == b"Zebra quilts", "and no mark"
    assert specviz(*run, "--earlier", tmp_path / "none.txt").refused
    half = tmp_path / "half.json"
    half.write_text(saved.file.read_text(encoding="utf-8")[:2000], encoding="utf-8")
    assert "The earlier recording" in specviz(*run, "--earlier", half).err


SIDE = Summary("a", (1,) * 8, 8, 0, 0, 0, None, 1.0, 0.1, 80.0, Stop.LENGTH, "float32")


def rows_of(race: Race) -> dict[str, str]:
    """The printed rows of a race by their labels; its runs are those of a recording."""
    race = replace(race, recorded=traces.read_file(ASSETS / "traces" / "capital.json"))
    return {line.plain[:20].strip(): line.plain[20:] for line in show.race_lines(race)}


def test_a_race_shows_both_sides_and_the_spread() -> None:
    """Rates, tokens and target passes stand side by side. A median below 1 is called slower than plain, never a speedup."""
    rows = rows_of(Race(SIDE, replace(SIDE, rounds=3, tokens_per_second=72.0), (0.8, 0.9, 1.1), True, None))
    sides = {"": "plain speculative", "tokens": "8 8", "target passes": "8 3", "tokens per second": "80.0 72.0"}
    assert {name: " ".join(rows[name].split()) for name in sides} == sides
    assert rows["speedup"] == "0.90× (slower than plain); the median of 3 pairs of runs, 0.80× to 1.10×"
    assert rows["same text"].startswith("same text as plain. Temperature 0, float32: ")


def test_a_busy_machine_gets_no_headline() -> None:
    """Where the pairs are those of a busy machine, the range is printed with the reason, and no speedup."""
    busy = Conditions(False, 3, 0, True, 0.44, 8.69, 0.48, 1.4, 2, 1, 2)
    race = Race(SIDE, SIDE, (8.69, 0.44, 0.49), True, None, with_prompt=(8.0, 0.4, 0.5), conditions=busy)
    rows = rows_of(race)
    assert rows["speedup"] == "not trusted: this machine is busy: between 0.4× and 8.7× (3 pairs of runs)"
    assert "with the prompt" not in rows
    assert "waited for a processor core 48% of the time, and other programs used 1.4 of 2 cores" in rows["machine"]
    calm = replace(race, speedups=(2.3, 2.4, 2.5), with_prompt=(2.1, 2.2, 2.3), conditions=replace(busy, trusted=True))
    rows = rows_of(calm)
    assert rows["speedup"].startswith("2.40× (faster than plain)")
    assert rows["with the prompt"].startswith("2.20×")


RUN, RACE = ("run", "x"), ("race", "x")


BAD_INPUT: list[tuple[list[str], str]] = [
    (["run", ""], "prompt was empty"),
    (["run", "\udcff"], "not valid UTF-8"),
    ([*RUN, "--k", "0"], "k (draft length) was '0': give auto or a whole number from 1 to 16."),
    ([*RUN, "--temperature", "x"], "--temperature: invalid float value: 'x'"),
    ([*RUN, *PAIR, "--max-new-tokens", "4000"], "the pair takes at most"),
    ([*RUN, "--pair", "nope"], "No pair is called 'nope'"),
    # the limits of a drafter come before the search for its pair
    ([*RUN, "--pair", "no such pair", "--drafter", "tree", "--policy", "cost"], "which the drafter 'tree' does not support"),
    ([*RUN, "--pair", "gpt2", "--target", "a", "--draft", "b"], "--pair was given together"),
    ([*RUN, "--target", "a", "--drafter", "model"], "a comes without one: name a draft too"),
    ([*RUN, "--target", "/no/such", "--draft", "/no/such"], "/no/such does not exist"),
    ([*RUN, "--device", "tpu"], "device was 'tpu'"),
    ([*RUN, "--trace", "/no/such/run.json"], "The recording '/no/such/run.json' could not be written: name a file"),
    ([*RUN, "--rule", "lenient"], "rule was 'lenient' with temperature 0"),
    (["run"], "PROMPT"),
    ([*RUN, "--bogus\x1b[31m"], "--bogus␛[31m"),
    ([*RACE, "--repeats", "0"], "--repeats: invalid choice: 0"),
    (["replay", "/no/such.json"], "could not be opened"),
    (["replay", __file__], "not valid JSON"),
    (["fly"], "invalid choice: 'fly'"),
    ([], "COMMAND"),
    (["doctor"], "`specviz audit --quick` makes its comparisons"),
    (["run", "x", "--target", "nobody/big", "--draft", "nobody/small", "--json"], "nobody/big"),
]  # fmt: skip


@pytest.mark.slow
def test_bad_input_is_rejected_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bad input is rejected with exit code 2 and one sentence on stderr that names the problem; so is a model of the hub without a network."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    for args, message in BAD_INPUT:
        outcome = specviz(*args)
        assert outcome.refused, (args, outcome)
        assert message in outcome.err, args


def test_token_text_is_shown_and_never_interpreted() -> None:
    """Markup, control characters and half characters in a token appear as visible signs on the round's one line."""
    rejected, closing = Drafted(1, -1, 0.5, 0.5, None, Verdict.REJECTED), ClosingToken(2, Closing.CORRECTED, None)
    round_ = Round(0, (rejected,), (), closing, began_s=0.0, draft_s=0.0, verify_s=0.0, ended_s=0.5)
    for data, shown in (
        (b" [bold]x[/bold]", "·[bold]x[/bold]"),
        (b"[/]", "[/]"),
        (b":smile:", ":smile:"),
        (b"\x1b[2J", "␛[2J"),
        (b"a\nb\tc\rd", "a⏎b⇥c␍d"),
        (b"\x00\x7f", "␀␡"),
        (b"\xf0\x9f", "⟨F0 9F⟩"),
        (b"a\xc3", "a⟨C3⟩"),
        ("\u202eé\u200b猫".encode(), "⟨U+202E⟩é⟨U+200B⟩猫"),
        ("\x9b31m\u2028".encode(), "⟨U+009B⟩31m⟨U+2028⟩"),
        (b"", "∅"),
    ):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            terminal.Screen().print(show.round_line(7, round_, {1: TokenBytes(data), 2: TokenBytes(b"ok")}))
        assert out.getvalue() == f"   7    500.0 ms  ✕{shown} ✎ok\n"


YES, NO = Verdict.ACCEPTED, Verdict.REJECTED
NODES = (("a", -1, NO), ("b", -1, YES), ("c", 1, NO), ("d", 0, Verdict.DISCARDED), ("e", 1, NO))
TREE = Round(
    0,
    tuple(Drafted(ord(token), parent, 0.5, 0.5, None, verdict) for token, parent, verdict in NODES),
    (1,),
    ClosingToken(ord("f"), Closing.CORRECTED, None),
    *(0.0, 0.0, 0.0, 0.5),
)
BYTES = {ord(letter): TokenBytes(letter.encode()) for letter in "abcdef"}


def test_a_round_is_one_line() -> None:
    """Levels of a tree are separated by a symbol, and the children of one token are adjacent in any order of drafting. A chain has no symbols between its
    tokens, and a copied one shows its source, counted from 1. A plain token is no bonus. A discarded token is dim and not struck through."""
    assert show.round_line(1, TREE, BYTES).plain == "   1    500.0 ms  ✕a ✓b › –d ✕c ✕e ✎f"
    chain = replace(TREE, drafted=TREE.drafted[:1], accepted=(), source=4)
    assert show.round_line(1, chain, BYTES).plain == "   1    500.0 ms  ✕a ✎f  (copied from token 5)"
    alone = replace(TREE, drafted=(), accepted=(), closing=ClosingToken(ord("f"), Closing.BONUS, None))
    assert show.round_line(1, alone, BYTES).plain == "   1    500.0 ms  •f"
    styles = {str(span.style) for line in (show.legend(), show.round_line(1, TREE, BYTES)) for span in line.spans}
    assert "dim" in styles
    assert not any("strike" in style for style in styles)
    assert "– thrown away" in show.legend().plain
    assert not {"discarded", "corrected"} & set(show.legend().plain.split())


def test_a_recording_cannot_act_on_the_terminal(saved: SavedRun, tmp_path: Path) -> None:
    """Escape sequences and hidden characters in the names and the prompt of a foreign recording are shown, not interpreted."""
    value = json.loads(saved.file.read_text())
    value["traces"][0]["prompt"] = "[red]\x1b[31m\u202e"
    value["traces"][0]["card"]["target"]["name"] = "\x1b]0;title\x07"
    (tmp_path / "foreign.json").write_text(json.dumps(value))
    outcome = specviz("replay", str(tmp_path / "foreign.json"))
    assert outcome.code == 0
    assert "[red]␛[31m⟨U+202E⟩" in outcome.out
    assert "␛]0;title␇" in outcome.out
    assert "\x1b" not in outcome.out


def test_further_lines_of_the_text_are_indented(saved: SavedRun) -> None:
    """A text of several lines shows its line breaks, and none of its lines can look like a row of the summary."""
    (trace,) = traces.read_file(saved.file)
    trace = replace(trace, rounds=trace.rounds[:1], tokens=dict.fromkeys(trace.tokens, TokenBytes(b"1\nrounds 99")))
    (text,) = [line.plain for line in show.summary_lines(trace) if line.plain.startswith("text ")]
    first, *others = text.split("\n")
    assert first == "text                1⏎"
    assert len(others) == len(trace.token_ids)
    assert all(line.startswith(" " * 20 + "rounds 99") for line in others)


class Stops(io.StringIO):
    """An output whose reader ends the program, as a service is stopped, when it sees the second round."""

    def write(self, text: str) -> int:
        seen = "\n   2 " in self.getvalue()
        written = super().write(text)
        if "\n   2 " in self.getvalue() and not seen:
            signal.raise_signal(signal.SIGTERM)
        return written


@pytest.mark.slow
def test_an_end_that_is_asked_for_keeps_what_was_done(tmp_path: Path) -> None:
    """SIGTERM, which becomes a Ctrl-C, ends a run with exit code 130, a summary of what was done, and a valid recording of it."""
    file = tmp_path / "stopped.json"
    with contextlib.redirect_stdout(Stops()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(
            ["run", "Tell me a story", *PAIR, *FIXED, "--k", "1", "--max-new-tokens", "950", "--trace", str(file)]
        )
    (trace,) = traces.read_file(file)
    assert (code, err.getvalue()) == (130, "")
    assert trace.stop is Stop.CANCELLED
    assert 2 <= len(trace.rounds) < 100
    assert f"rounds              {len(trace.rounds)}\n" in out.getvalue()
    assert "cancelled" in out.getvalue()


@pytest.mark.slow
def test_a_reader_that_closes_the_pipe_is_no_error(saved: SavedRun) -> None:
    """When nobody reads the output any more the program ends silently."""
    command = [*PROGRAM, "replay", str(saved.file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_recording_that_cannot_be_written_loses_nothing_else() -> None:
    """If the recording cannot be written at the end, the run and its summary were printed anyway."""
    outcome = specviz("run", PROMPT, *PAIR, "--max-new-tokens", "4", "--trace", "/dev/full")
    assert outcome.code == 2
    assert "tokens              4\n" in outcome.out
    assert "could not be written" in outcome.err


@pytest.mark.slow
def test_pairs_lists_what_can_be_loaded() -> None:
    """The embedded pair is listed as available; the JSON has the same rows with their sizes in bytes."""
    table, listed = specviz("pairs", "--device", "cpu"), specviz("pairs", "--device", "cpu", "--json").json
    header, first = table.out.splitlines()[:2]
    assert header.split() == ["name", "target", "draft", "size", "here?", "fits?", "plain", "c", "licence", "note"]
    assert first.split()[:3] == ["embedded", "target", "draft"]
    assert (listed["pairs"][0]["here"], listed["device"]) == (True, "cpu")
    pairs, heads = table.out.split("\n\n")
    assert len(listed["pairs"]) == len(pairs.splitlines()) - 3, (
        "the last lines are about what is computed, and about tokens"
    )
    assert len(listed["heads"]) == len(heads.splitlines()) - 2, "the last line is about their use"
    assert heads.splitlines()[0].split()[:2] == ["published", "head"]
    assert "RedHatAI/Qwen3-8B-speculator.eagle3" in heads
    assert "not known offline" in heads
    columns = {"name", "target", "draft", "bytes", "target_bytes", "here", "fits", "note", "licence", "token", "disk"}
    columns |= {"disk_free", "fits_disk", "revision", "computed_plain_tokens_per_second", "computed_cost_ratio"}
    assert set(listed["pairs"][0]) == columns
    assert listed["memory_bytes_per_second"] > 0
    assert [pair["name"] for pair in specviz("pairs", "--get", "embedded", "--json").json["pairs"]] == ["embedded"]
    assert "No pair is called 'none'" in specviz("pairs", "--get", "none").err


@pytest.mark.slow
def test_help_needs_no_torch() -> None:
    """Help names commands and options, and imports no torch."""
    named = {
        "": "run race compare replay pairs",
        "run": "--drafter --rule --tokens --trace --json LOSSY",
        "race": "--repeats --json",
    }
    code = (
        "import sys; from specviz.cli.main import main\n"
        "for command in sys.argv[1:]:\n"
        "    try: main([*command.split(), '--help'])\n"
        "    except SystemExit as ended: print('\\f' if ended.code == 0 else 'failed')\n"
        "sys.exit(3 if {'torch', 'transformers', 'plotly'} & sys.modules.keys() else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code, *named], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0
    for words, shown in zip(named.values(), done.stdout.split("\f"), strict=False):
        assert set(words.split()) <= set(re.findall(r"[\w-]+", shown))
