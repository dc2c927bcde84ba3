"""The model card of a draft, written from what was recorded and measured, so that no figure is copied by hand."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

_TEMPLATE = Path(__file__).with_name("card.md")


def text(making: Mapping[str, Any], figures: Mapping[str, Any] | None) -> str:
    """The README of a draft.

    Args:
        making: the facts of `making.Made`.
        figures: of the examination; None if there was none.
    """
    width, layers = making["size"].split("x")
    trimmed = making["kept"] < making["vocabulary"]
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        target=making["target"],
        revision=f" (revision {making['revision']})" if making["revision"] else "",
        layers=layers,
        width=width,
        seed=making["seed"],
        pass_weights=f"{making['weights_of_a_pass'] / 1e6:.2f} million",
        kept=f"{making['kept']:,}",
        vocabulary=f"{making['vocabulary']:,}",
        kept_share=f"{making['kept_share']:.2%}",
        texts=f"{making['texts']:,}",
        tokens=f"{making['tokens']:,}",
        asked=text_options(making)
        + (" --text FOLDER" if making["prompts"].startswith("beginnings") else "")
        + ("" if making.get("start") else f" --size {making['size']}"),
        base_model=json.dumps(making["target"]),  # JSON is YAML too: a path may hold a colon or a number sign
        prompts={"b": "after ", "q": "answers to "}.get(making["prompts"][0], "") + making["prompts"],
        written_in=making["written_in"],
        written_on=making["written_on"].upper(),
        began=(
            f"It began with the weights of an earlier draft, {making['start']}, made for {making['begun_target']}, which had read "
            f"{making['begun_tokens']:,} tokens."
            if making.get("start")
            else "Its embedding began as the best low-rank part of the target's."
        ),
        only="The draft that it began with had read other text." if making.get("start") else "No other text was used.",
        licence=(
            ""
            if making.get("begun_target", "") in ("", making["target"])
            else f", and so does that of {making['begun_target']}, for which the earlier draft was made"
        ),
        trained_tokens=f"{making['trained_tokens']:,}",
        minutes=f"{making['training_seconds'] / 60:.0f}",
        batch=f"{making['batch']:,} tokens",
        matrix_rate=f"{making['matrix_rate']:g}",
        other_rate=f"{making['other_rate']:g}",
        cool_down=f"{making['cool_down']:.0%}",
        trimmed=_TRIMMED if trimmed else "It may write every id.",
        figures="It has not been examined." if figures is None else "\n".join(_figures(figures, making["target"])),
    )


def text_options(making: Mapping[str, Any]) -> str:
    """The options with which the same command reads or writes the same text, as often, in steps as large, and from the same start."""
    if not making.get("own_text"):
        text = f"--tokens {making.get('asked_tokens', making['tokens'])}"
    else:
        text = f"--own-text {making['own_text']}"
        text += f" --tokens {making['own_tokens']}" if making.get("own_tokens") else ""
        text += f" --own-text-prompts {making['own_text_prompts']}" if making.get("own_text_prompts") else ""
    text += f" --epochs {making['epochs']:g}" if "epochs" in making else ""
    text += f" --batch {making['asked_batch']}" if making.get("asked_batch") else ""
    text += "" if making.get("rate", 1.0) == 1.0 else f" --rate {making['rate']:g}"
    return text + (f" --from {making['start']}" if making.get("start") else "")


_TRIMMED = """`kept_ids.json` lists the ids that it may write: those to which the target gave most probability. specviz computes
only these rows of the head, and gives every other id q = 0. That is lossless: where the text needs another id, the target writes it
after a rejection. **Rows of the head outside the kept ids were never trained**: a program that does not know `kept_ids.json` should mask
them, or accept that they are noise."""


def lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """The figures of an examination for people, as in the card without its table's frame."""
    return without_frame(_figures(figures), (58, 34))


def without_frame(lines: Iterable[str], widths: Sequence[int]) -> Iterator[str]:
    """Markdown for a terminal: the cells of a table in columns, of the last width where there are more."""
    for line in lines:
        cells = [cell.strip().replace("**", "") for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            yield line
        elif not line.startswith("|---"):
            yield "".join(f"{cell:<{widths[min(index, len(widths) - 1)]}}" for index, cell in enumerate(cells))


def _figures(figures: Mapping[str, Any], target: str = "") -> Iterator[str]:
    """The lines of the figures, which name the target where it is another one than `target`."""
    other = f"With {figures['target']} as the target, on" if target and figures["target"] != target else "On"
    yield (
        f"{other} {figures['prompts']} prompts that no training saw, {figures['tokens']} new tokens each, in {figures['dtype']} on "
        f"{figures['device']}. A pass of the target takes {figures['pass_ms']['median']:.1f} ms; c = {figures['c']['median']:.3f} "
        f"({figures['c']['low']:.3f} to {figures['c']['high']:.3f})."
    )
    yield ""
    yield "| | temperature 0 | temperature 0.7 |"
    yield "|---|---|---|"
    both = (figures["greedy"], figures["sampled"])
    yield row("acceptance rate α, k = 4", (share(each["alpha"]) for each in both))
    yield row("α by position", (" ".join(map(share, each["alpha_by_position"])) for each in both))
    yield row("cap on α by the kept ids", (f"{each['cap']:.3f}" for each in both))
    yield row("best predicted k", (str(each["best_k"]) for each in both))
    for k in dict.fromkeys(("4", *(str(each["best_k"]) for each in both))):
        chosen = [each["measured"].get(k) for each in both]
        yield row(f"predicted speedup, k = {k}", (f"{each['predicted'][k]:.2f}×" for each in both))
        yield row(f"measured speedup, k = {k}", (speed(one) for one in chosen))
        yield row(
            f"the same over the more predictable half, k = {k}",
            ("" if one is None else f"{one['predictable_half']:.2f}×" for one in chosen),
        )
        yield row(
            f"tokens a round, k = {k}", ("" if one is None else f"{one['tokens_per_round']:.2f}" for one in chosen)
        )
    yield from costs_and_texts(figures)


def costs_and_texts(figures: Mapping[str, Any]) -> Iterator[str]:
    """The lines after the table: v, whose text the greedy text equals, and how calm the machine was."""
    yield ""
    yield f"v(k + 1): {', '.join(f'{n}: {v:.2f}' for n, v in figures['v'].items())}."
    for what, (right, asked) in figures["same_text"].items():
        yield f"Greedy text equal to that of {what}: {right} of {asked} runs."
    waited = figures["waited"]
    if waited is not None:
        calm, timings = figures["trusted"]
        yield f"The timed runs waited {waited:.0%} of their time for a processor core; {calm} of {timings} timings were calm and steady."


def row(title: str, cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {title} | {' | '.join(cells)} |"


def share(value: float | None) -> str:
    """A rate in a cell."""
    return "–" if value is None else f"{value:.2f}"


def speed(one: Mapping[str, Any] | None) -> str:
    """A measured speedup in a cell, with the lowest and the highest prompt."""
    return "" if one is None else f"**{one['speedup']:.2f}×** ({one['low']:.2f} to {one['high']:.2f})"
