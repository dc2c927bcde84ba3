"""The card of a head, written from what was recorded and measured, so that no figure is copied by hand."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from string import Template
from typing import Any

from specviz.known_pairs import offered
from specviz.training.drafts.card import costs_and_texts, row, share, speed, text_options, without_frame
from specviz.training.heads import options

_TEMPLATE = Path(__file__).with_name("card.md")
_READ = (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000, 6_000_000)
_PARTS = (("greedy", "temperature 0"), ("sampled", "temperature 0.7"))


def text(making: Mapping[str, Any], figures: Mapping[str, Any] | None, points: Sequence[Mapping[str, Any]] = ()) -> str:
    """The README of a head.

    Args:
        making: the facts of `making.Made`.
        figures: of the examination; None if there was none.
        points: of the learning curve, by tokens read.
    """
    shown = ", ".join(f"{name} {value}" for name, value in making["options"].items())
    given = making.get("given", {})
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        base_model=json.dumps(making["target"]),  # JSON is YAML too: a path may hold a colon or a number sign
        kind=making["kind"],
        drafter=making["drafter"],
        target=making["target"],
        asked_target=making["asked_target"],
        chosen=f"--{'pair' if offered(making['asked_target']) else 'target'} {making['asked_target']}",
        revision=f" (revision {making['revision']})" if making["revision"] else "",
        options=shown or "no options",
        parameters=f"{making['parameters'] / 1e6:.2f} million",
        taps=", ".join(map(str, making["taps"])),
        kept=f"{making['kept']:,}",
        vocabulary=f"{making['vocabulary']:,}",
        kept_share=f"{making['kept_share']:.2%}",
        asked=_asked(making),
        seed=making["seed"],
        texts=f"{making['texts']:,}",
        tokens=f"{making['tokens']:,}",
        prompts=making["prompts"],
        written_in=making["written_in"],
        written_on=making["written_on"].upper(),
        about=making["about"] + (f" This head differs: {_differs(given)}." if given else ""),
        began=f"It began with the weights of an earlier head, {making['start']}. " if making.get("start") else "",
        trained_tokens=f"{making['trained_tokens']:,}",
        minutes=f"{making['training_seconds'] / 60:.0f}",
        batch=f"{making['batch']:,} tokens",
        matrix_rate=f"{making['matrix_rate']:g}",
        other_rate=f"{making['other_rate']:g}",
        cool_down=f"{making['cool_down']:.0%}",
        learned="".join(f"{line}\n" for line in _learned(making, points)),
        unseen=_unseen(making),
        figures="It has not been examined." if figures is None else "\n".join(lines(figures)),
    )


def _asked(making: Mapping[str, Any]) -> str:
    """The options with which the same command makes the same head."""
    return f"{text_options(making)}{making['option']}{options.written(making.get('given', {}))}"


def _learned(making: Mapping[str, Any], points: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The learning curve as a table: the mean around each number of tokens, so that one batch of easy text does not count."""
    if (most := points[-1]["tokens"] if points else 0) < _READ[0]:
        return
    near = {at: [point["losses"] for point in points if abs(point["tokens"] - at) <= 0.15 * at] for at in _READ}
    read = [at for at in _READ if near[at] and at <= most]
    yield ""
    yield row("tokens read (M)", (f"{at / 1e6:g}" for at in read))
    yield f"|---|{'---|' * len(read)}"
    for name in making["unseen"]:
        values = [[losses[name] for losses in near[at] if name in losses] for at in read]
        if any(values):
            yield row(name, (share(mean(each) if each else None) for each in values))
    yield ""
    begun = making.get("begun_tokens", 0) / 1e6
    if begun:
        first = f" The head that it began with had read {begun:.1f} M."
    elif making.get("epochs"):
        first = f" The first reading ended at {making['trained_tokens'] / making['epochs'] / 1e6:.1f} M."
    else:
        first = ""
    yield f"These are figures of each batch before the head learned from it, at the learning rate of that moment.{first}"


def _unseen(making: Mapping[str, Any]) -> str:
    found = (f"{name}: {value:.3f}" for name, value in making["unseen"].items())
    text = f"On {making['unseen_texts']:,} of the texts, which it did not read in training: {', '.join(found)}."
    for name, part in making.get("unseen_by_prompts", {}).items():
        text += f" Of answers to {name} alone: {', '.join(f'{each}: {value:.3f}' for each, value in part.items())}."
    calibration = making.get("noted", {}).get("calibration")
    return text if calibration is None else f"{text}\n{_calibrated(calibration)}"


def _calibrated(calibration: Mapping[str, Any]) -> str:
    """How much better the confidence is after temperature scaling."""
    errors = (
        f"{part} {before:.1%} before, {after:.1%} after" for part, (before, after) in calibration["error"].items()
    )
    return (
        "Its confidence was calibrated on half of these texts by one temperature for each slot. On the other half the expected calibration "
        f"error of the probability that a draft is accepted up to a slot is: {'; '.join(errors)}."
    )


def _differs(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} is {json.dumps(value)}" for name, value in given.items())


def lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """The figures of an examination, as Markdown: a table with a column for each drafter and temperature."""
    yield (
        f"On {figures['prompts']} prompts that no training saw, {figures['tokens']} new tokens each, in {figures['dtype']} on "
        f"{figures['device']}. A pass of the target over one token takes {figures['pass_ms']['median']:.1f} ms; costs are in such passes."
    )
    yield ""
    columns = [(name, found[part], heat) for name, found in figures["drafters"].items() for part, heat in _PARTS]
    yield row("", (f"{name}, {heat}" for name, _, heat in columns))
    yield f"|---|{'---|' * len(columns)}"
    parts = [part for _, part, _ in columns]
    best = [str(part.get("best_k") or part["best_nodes"]) for part in parts]
    both = list(zip(parts, best, strict=True))
    yield row("α by position", (" ".join(map(share, part.get("alpha_by_position", ()))) for part in parts))
    yield row("cap on α by the ids that it may write", (share(part.get("cap")) for part in parts))
    yield row("best", (f"k = {size}" if "best_k" in part else f"{size} nodes" for part, size in both))
    yield row("cost of drafting a round", (share(part.get("drafting", {}).get(size)) for part, size in both))
    yield row("predicted speedup", (_times(part.get("predicted", {}).get(size)) for part, size in both))
    yield row("measured speedup", (speed(part["measured"][size]) for part, size in both))
    yield row("tokens a round", (share(part["measured"][size]["tokens_per_round"]) for part, size in both))
    for kind in dict.fromkeys(kind for part in parts for kind in part.get("alpha_by_kind", ())):
        yield row(f"α at position 1, {kind}", (share(part.get("alpha_by_kind", {}).get(kind)) for part in parts))
    yield from costs_and_texts(figures)


def _times(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}×"


def plain(figures: Mapping[str, Any]) -> Iterator[str]:
    """The same for a terminal, without the table's frame."""
    return without_frame(lines(figures), (44, 30))
