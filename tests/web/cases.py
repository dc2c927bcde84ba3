"""What Python computes and says, for the tests of the front end: the same figures, rules and words in both languages.

python -m tests.web.cases    # writes specviz/web/testing/python_cases.json
"""

import json
import random
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from app.classroom.polls import how_many
from app.stage import lanes, recordings
from specviz.decoding.judge.chain import judge_chain
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Drawn, softened, token_at
from specviz.folders import ASSETS, BUILT
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.lessons.glossary import glossary_of
from specviz.lessons.learn_data import recorded_costs
from specviz.reporting.player.scripts import given
from specviz.reporting.player.thinning import thinned
from specviz.request import PairRequest, Request
from specviz.setting_labels import NOT_DRAFTING
from specviz.settings import EXACT_RULES, Settings
from specviz.trace.conditions import beyond, most_words
from specviz.trace.files import dump, read_file
from specviz.trace.metrics import divergence, middle_words, most_possible, speedup, speedup_with_prompt, summarise
from specviz.trace.records import Stop, Trace
from specviz.words import languages
from tests.helpers import oracles as theory
from tests.helpers.lessons import lesson_of
from tests.helpers.views import MIXED, plain_of, trace_of

FILE = BUILT.parent / "testing" / "python_cases.json"
_TRACES = {path.stem: path for path in sorted((ASSETS / "traces").glob("*.json"))}
_NEAR = 1e-9


def cases() -> dict[str, Any]:
    """All of them as plain JSON values."""
    pairs = [read_file(path) for path in _TRACES.values()]
    mixed = trace_of(MIXED)
    return {
        "figures": {name: _figures(*pair) for name, pair in zip(_TRACES, pairs, strict=True)},
        "shorter": {name: _shorter(*pair) for name, pair in list(zip(_TRACES, pairs, strict=True))[:3]},
        "middleWords": [middle_words(count) for count in range(1, 9)],
        "theory": [_expected(**letters) for letters in _letters(120)],
        "rule": _rule(),
        "exact_rules": list(EXACT_RULES),
        "thinned": [dump(thinned((trace_of(["ard"], temperature=t),), 0)) for t in (0.8, 0.0)],
        "first": [Path(recordings.first(family)["recorded_at"]).stem.rpartition("-")[0] for family in (EMBEDDED, CHAT)],
        "races": {pair: _race(pair) for pair in (CHAT, EMBEDDED)},
        "costs": recorded_costs(lesson_of("checking").recordings),
        "glossaries": {code: [entry.as_json() | {"says": ""} for entry in glossary_of(code)] for code in languages()},
        "words": {
            "beyond": beyond(most_possible(plain_of(mixed), mixed)),
            "most": most_words(most_possible(plain_of(mixed), mixed)),
            "notDrafting": NOT_DRAFTING,
            "howMany": how_many(5).question,
        },
        "given": given(),
    }


def _figures(speculative: Trace, plain: Trace) -> dict[str, Any]:
    """What the metrics say of a recording, also after each of its rounds; `near` are those that sums may round differently."""
    summary, rounds = summarise(speculative), speculative.rounds
    must_agree = speculative.settings.certain and not speculative.settings.lossy
    assert not must_agree or divergence(plain, speculative) is None
    runs = [replace(speculative, rounds=rounds[:count]) for count in range(1, len(rounds) + 1)]
    written = accumulate(len(round_.tokens) for round_ in rounds)
    return {
        "ids": summary.token_ids,
        "plainIds": plain.token_ids,
        "ends": [round_.ended_s for round_ in rounds],
        "counts": [[len(round_.drafted), round_.judged, len(round_.accepted)] for round_ in rounds],
        "speedups": [speedup(plain, run) for run in runs],
        "ahead": [own - _written_by(plain, round_.ended_s) for own, round_ in zip(written, rounds, strict=True)],
        "mustAgree": must_agree,
        "exact": {
            "tokens": len(summary.token_ids),
            "passes": summary.rounds,
            "judged": summary.judged,
            "accepted": summary.accepted,
            "seconds": summary.seconds,
        },
        "near": {
            "perPass": summary.tokens_per_round,
            "rate": summary.tokens_per_second,
            "plainRate": summarise(plain).tokens_per_second,
            "speedup": speedup(plain, speculative),
            "most": most_possible(plain, speculative),
            "withPrompt": speedup_with_prompt(plain, speculative),
        },
    }


def _written_by(plain: Trace, seconds: float) -> int:
    return sum(len(round_.tokens) for round_ in plain.rounds if round_.ended_s <= seconds + _NEAR)


def _shorter(speculative: Trace, plain: Trace) -> float:
    """The speedup over the first half of the plain run."""
    half = replace(plain, rounds=plain.rounds[: len(plain.rounds) // 2], stop=Stop.END_OF_TEXT)
    return speedup(half, speculative)


def _letters(count: int) -> list[dict[str, Any]]:
    source = _source(9)
    return [
        {
            "alpha": source.choice((0.0, 1.0, *(round(source.random(), 4) for _ in range(3)))),
            "k": source.randint(1, 16),
            "c": round(source.random(), 4),
            "v": round(1 + 3 * source.random(), 4),
        }
        for _ in range(count)
    ]


def _expected(**letters: Any) -> dict[str, Any]:
    tokens = theory.tokens_per_pass(letters["alpha"], letters["k"])
    return letters | {"tokens": tokens, "speedup": theory.speedup(**letters)}


def _race(pair: str) -> dict[str, Any]:
    recording = {"recording": None, "live": None, "status": "queued", "id": "x", "queue_position": 0, "what": ""}
    return lanes.race(lanes.Entrant(recording, Request(PairRequest(pair), "p", Settings()), None))


class _Scripted:
    """A random source that returns one given u."""

    def __init__(self, u: float) -> None:
        self._u = u

    def uniform(self, count: int) -> Tensor:
        return torch.full((count,), self._u, dtype=torch.float64)

    def token(self, probabilities: Tensor) -> Drawn:
        return Drawn(probabilities.argmax(), None)


def _rule() -> dict[str, Any]:
    """The engine's verdicts, warped distributions and choices for random distributions, which are given by their weights."""
    source = _source(1)
    judged = [_judged(p, q, source) for p, q in _pairs(80, source)]
    warped = [(_weights(source), temperature) for _ in range(15) for temperature in (0.3, 0.5, 2.0)]
    chosen = [(_weights(source), [0.0, 1 - 2**-32, *(source.random() for _ in range(5))]) for _ in range(50)]
    return {
        "judged": judged,
        "warped": [{"q": q, "temperature": t, "warped": softened(_shares(q).log(), t).tolist()} for q, t in warped],
        "chosen": [
            {"p": p, "numbers": us, "tokens": [int(token_at(_shares(p), torch.tensor([u]).double())) for u in us]}
            for p, us in chosen
        ],
    }


def _judged(p: list[int], q: list[int], source: random.Random) -> dict[str, Any]:
    """The engine's verdict on every drafted token just below and just above its bound p/q, and at a random number."""
    draws, after = [], _shares(p)
    for token in (token for token, share in enumerate(q) if share):
        bound = float(_shares(p)[token] / _shares(q)[token])
        for u in (bound - _NEAR, bound + _NEAR, round(source.random(), 6)):
            if not 0 <= u < 1:
                continue
            accepted, closing_from = _verdict(p, q, token, u)
            draws.append([token, u, accepted])
            after = after if accepted else closing_from
        if bound < 1:
            assert _verdict(p, q, token, max(0.0, bound - _NEAR))[0] is (bound > _NEAR)
    return {"p": p, "q": q, "draws": draws, "after": after.tolist()}


def _verdict(p: list[int], q: list[int], token: int, u: float) -> tuple[bool, Tensor]:
    """Whether one drafted token is accepted, and what is drawn from after a rejection."""
    draft = Draft(torch.tensor([token]), (-1,), _shares(q)[None])
    target, draws = torch.stack([_shares(p)] * 2), _Scripted(u)
    judgement = judge_chain(draft, target, draws)
    return bool(judgement.accepted[0]), judgement.closing_from


def _pairs(count: int, source: random.Random) -> list[tuple[list[int], list[int]]]:
    """Random p and q over the same tokens; now and then equal, disjoint, one-hot, or with zeros."""
    pairs = []
    for _ in range(count):
        p = _weights(source)
        pairs.append((p, p if source.random() < 0.03 else _weights(source, len(p))))
    return pairs


def _weights(source: random.Random, size: int = 0) -> list[int]:
    size = size or source.randint(2, 8)
    weights = [round(1000 * source.random() ** source.choice((1, 4))) * (source.random() > 0.15) for _ in range(size)]
    return weights if any(weights) else [1, *[0] * (size - 1)]


def _shares(weights: list[int]) -> Tensor:
    return torch.tensor([weight / sum(weights) for weight in weights], dtype=torch.float64)


def _source(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  # nothing here is secret


def text() -> str:
    """The file: a line for each kind, so that a change shows which."""
    lines = (f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in cases().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
