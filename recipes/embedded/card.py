"""Writes the model card from what was measured, so that no figure is copied by hand."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from recipes.embedded.base_pair import CURVES
from recipes.embedded.continuations import CHARACTERS
from recipes.embedded.mixture import EVERY_HELD_OUT
from recipes.embedded.recipe import TARGET, Phase, Recipe, TargetStage
from specviz.training.curves import drawing

_TEMPLATE = Path(__file__).with_name("card.md")

_CLEARLY = 0.05
"""Bits a byte by which a draft must be worse than its undistilled twin before the card says so."""


def write(recipe: Recipe, pair: Path, examined: Path, quoted: Sequence[int], history: str = "") -> None:
    """Write README.md and the pictures of the curves into the pair's folder.

    Args:
        pair: folder with the networks and the `curves.json` of their training.
        examined: JSON file with the figures of a full examination.
        quoted: which of the examination's stories are shown, counted from 0.
        history: a note of the person who made the pair, for example which weights it replaces.
    """
    curves = json.loads((pair / CURVES).read_text())
    figures = json.loads(examined.read_text())
    for name, curve in curves.items():
        (pair / f"curves-{name}.svg").write_text(drawing(_lines(curve), f"Training: {name}"))
    mixtures = _mixtures(recipe)
    card = Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        shapes=_table(
            ("", "layers", "width", "heads", "feed-forward", "parameters", "size", "what for"), _shapes(recipe, pair)
        ),
        plans="\n".join(_plans(recipe)),
        pictures="\n".join(f"![Loss curves: {name}](curves-{name}.svg)" for name in curves),
        shares=_table(("class of text", *mixtures), _shares(mixtures)),
        hours=f"{sum(curve['seconds'] for curve in curves.values()) / 3600:.1f}",
        shares_right=_table(("what", "right", "of", "share", "95% interval"), _right(figures)),
        alphas=_by_category(
            figures, [key for key in figures if key.startswith("alpha") and isinstance(figures[key], dict)]
        ),
        gain=f"{figures['alpha_gain']:.3f}",
        speedups=_by_category(
            figures, [key for key in figures if key.startswith("speedup") and not key.endswith("_dtype")]
        ),
        bits=_bits(figures["bits_per_byte"]),
        worse=_worse(figures["bits_per_byte"]),
        stories="\n\n".join(_quote(figures["stories"][index]) for index in quoted),
        history=f"{history.strip()}\n\n" if history.strip() else "",
        hashes=_table(("file", "SHA-256"), _hashes(pair)),
        seed=recipe.seed,
        vocabulary=f"{recipe.vocabulary:,}",
        positions=f"{recipe.positions:,}",
        context=max(phase.context for phase in _phases(recipe)),
        cut=f"{recipe.cut:.0%}",
        held_out=EVERY_HELD_OUT,
        counted=CHARACTERS,
        exit_layer=recipe.target.exit_layer,
    )
    (pair / "README.md").write_text(card, encoding="utf-8")


def hashes(pair: Path) -> dict[str, str]:
    """Path in the pair's folder -> SHA-256, for every file of weights and every tokenizer."""
    files = sorted([*pair.glob("*/*.safetensors"), *pair.glob("*/tokenizer.json")])
    return {str(path.relative_to(pair)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _lines(curve: Mapping[str, Any]) -> dict[str, list[tuple[float, float]]]:
    names = curve["points"][0]["losses"]
    return {name: [(point["tokens"], point["losses"][name]) for point in curve["points"]] for name in names}


def _shapes(recipe: Recipe, pair: Path) -> Iterator[tuple[object, ...]]:
    shapes = {TARGET: (recipe.target, "the large model")} | {
        name: (draft.shape, draft.purpose) for name, draft in recipe.drafts.items()
    }
    for name, (shape, purpose) in shapes.items():
        size = sum(path.stat().st_size for path in (pair / name).glob("*.safetensors"))
        yield (
            f"`{name}`",
            shape.layers,
            shape.width,
            shape.heads,
            shape.feed_forward,
            f"{size / 2e6:.1f} M",
            f"{size / 1e6:.1f} MB",
            purpose,
        )


def _plans(recipe: Recipe) -> Iterator[str]:
    for step in recipe.steps:
        plan = step.plan
        learners = [TARGET] if isinstance(step, TargetStage) else list(step.drafts)
        early = f", the loss of the early exit at weight {plan.exit_weight}" if plan.exit_weight else ""
        yield (
            f"- {step.name}: {', '.join(f'`{name}`' for name in learners)}, {', then '.join(map(_read, plan.phases))}{early}; "
            f"{plan.batch:,} tokens a step, Muon {plan.matrix_rate} for the matrices, AdamW {plan.other_rate} for the rest, rates "
            f"rising over the first {plan.warm_up:,} tokens and falling to zero over the last {plan.cool_down:.0%} of the steps."
        )


def _read(phase: Phase) -> str:
    """What a phase reads, in words."""
    if phase.by_target:
        unchanged = f", and {' and '.join(phase.as_text)} unchanged," if phase.as_text else ""
        text = f"that the target wrote itself, continuing beginnings{unchanged} of the mixture `{phase.name}`"
    else:
        text = f"of the mixture `{phase.name}`"
    return f"{phase.tokens / 1e6:g} M tokens {text} in rows of {phase.context}"


def _phases(recipe: Recipe) -> list[Phase]:
    return [phase for plan in recipe.plans.values() for phase in plan.phases]


def _mixtures(recipe: Recipe) -> dict[str, Mapping[str, float]]:
    """Names of all phases that read a mixture, joined by commas -> its shares."""
    names: dict[str, list[str]] = {}
    shares = {}
    for phase in _phases(recipe):
        names.setdefault(repr(phase.shares), []).append(phase.name)
        shares[repr(phase.shares)] = phase.shares
    return {", ".join(dict.fromkeys(names[key])): shares[key] for key in names}


def _shares(mixtures: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[object, ...]]:
    kinds = dict.fromkeys(kind for shares in mixtures.values() for kind in shares)
    for kind in kinds:
        yield kind, *(f"{shares.get(kind, 0) / sum(shares.values()):.1%}" for shares in mixtures.values())


def _right(figures: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    for name, (right, asked) in figures["counts"].items():
        low, high = figures["intervals"][name]
        yield (
            name.replace("_", " ").replace(".", ", "),
            right,
            asked,
            f"{right / asked:.1%}",
            f"{low:.1%} to {high:.1%}",
        )


def _by_category(figures: Mapping[str, Any], keys: Sequence[str]) -> str:
    categories = dict.fromkeys(category for key in keys for category in figures[key])
    rows = ((key.replace("_", " "), *(_number(figures[key].get(category)) for category in categories)) for key in keys)
    return _table(("", *categories), rows)


def _bits(bits: Mapping[str, Mapping[str, float]]) -> str:
    kinds = next(iter(bits.values()))
    return _table(("text", *bits), ((kind, *(f"{bits[name][kind]:.2f}" for name in bits)) for kind in kinds))


def _worse(bits: Mapping[str, Mapping[str, float]]) -> str:
    """A paragraph on the classes of text that the distilled draft predicts worse than its twin of the same size; empty if there are none."""
    draft, twin = bits.get("draft", {}), bits.get("draft-undistilled", {})
    lost = {kind: (draft[kind], twin[kind]) for kind in draft if kind in twin and draft[kind] > twin[kind] + _CLEARLY}
    if not lost:
        return ""
    worst = sorted(lost, key=lambda kind: lost[kind][1] - lost[kind][0])
    named = ", ".join(f"{kind} ({lost[kind][0]:.2f} against {lost[kind][1]:.2f})" for kind in worst)
    return f"\n\nIn bits a byte `draft` is worse than `draft-undistilled` on {named}."


def _quote(story: Mapping[str, str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in f"**{story['prompt']}**{story['text']}".split("\n"))


def _hashes(pair: Path) -> Iterator[tuple[object, ...]]:
    return ((f"`{name}`", f"`{digest}`") for name, digest in hashes(pair).items())


def _number(value: object) -> str:
    return "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def _table(head: Sequence[str], rows: Iterator[tuple[object, ...]]) -> str:
    lines = [" | ".join(head), "|".join("---" for _ in head), *(" | ".join(map(str, row)) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines)
