"""Writes the model card: what was measured goes in by itself, so that no figure is copied by hand."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from specviz.training import picture
from specviz.training.recipe import TARGET, Plan, Recipe

CURVES = "curves.json"
_WORDS = Path(__file__).with_name("card.md")


def write(recipe: Recipe, pair: Path, examined: Path, quoted: Sequence[int]) -> None:
    """Write README.md and the pictures of the curves into the pair's folder.

    Args:
        pair: folder with the networks and the `curves.json` of their training.
        examined: the JSON of a full examination.
        quoted: which of the examination's stories are shown, from 0.
    """
    curves = json.loads((pair / CURVES).read_text())
    figures = json.loads(examined.read_text())
    for stage, curve in curves.items():
        (pair / f"curves-{stage}.svg").write_text(picture.curves(_lines(curve), f"Training of the {stage}"))
    card = Template(_WORDS.read_text(encoding="utf-8")).substitute(
        shapes=_table(
            ("", "layers", "width", "heads", "feed-forward", "parameters", "size", "what for"), _shapes(recipe, pair)
        ),
        plans="\n".join(_plans(recipe)),
        shares=_table(
            ("class of text", *(phase.name for phase in recipe.target_plan.phases)), _shares(recipe.target_plan)
        ),
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
        stories="\n\n".join(_quote(figures["stories"][place]) for place in quoted),
        hashes=_table(("file", "SHA-256"), _hashes(pair)),
        seed=recipe.seed,
        vocabulary=f"{recipe.vocabulary:,}",
        positions=f"{recipe.positions:,}",
        cut=f"{recipe.cut:.0%}",
        exit_layer=recipe.target.exit_layer,
        exit_weight=recipe.sittings[0].plan.exit_weight,
    )
    (pair / "README.md").write_text(card, encoding="utf-8")


def hashes(pair: Path) -> dict[str, str]:
    """SHA-256 of every file of weights and of the tokenizer, by its place in the pair's folder."""
    files = sorted([*pair.glob("*/*.safetensors"), *pair.glob("*/tokenizer.json")])
    return {str(path.relative_to(pair)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _lines(curve: Mapping[str, Any]) -> dict[str, list[tuple[float, float]]]:
    names = curve["points"][0]["losses"]
    return {name: [(point["tokens"], point["losses"][name]) for point in curve["points"]] for name in names}


def _shapes(recipe: Recipe, pair: Path) -> Iterator[tuple[object, ...]]:
    shapes = {TARGET: (recipe.target, "the large model")} | {
        name: (draft.shape, draft.says) for name, draft in recipe.drafts.items()
    }
    for name, (shape, says) in shapes.items():
        size = sum(path.stat().st_size for path in (pair / name).glob("*.safetensors"))
        yield (
            f"`{name}`",
            shape.layers,
            shape.width,
            shape.heads,
            shape.feed_forward,
            f"{size / 2e6:.1f} M",
            f"{size / 1e6:.1f} MB",
            says,
        )


def _plans(recipe: Recipe) -> Iterator[str]:
    learners = {TARGET: [TARGET]} | {stage.name: list(stage.drafts) for stage in recipe.stages}
    for stage, plan in recipe.plans.items():
        phases = ", then ".join(
            f"{phase.tokens / 1e6:g} M tokens of the mixture `{phase.name}` in rows of {phase.context}"
            for phase in plan.phases
        )
        yield (
            f"- {', '.join(f'`{name}`' for name in learners[stage])}: {phases}; {plan.batch:,} tokens a step, Muon "
            f"{plan.matrix_rate} for the matrices, AdamW {plan.other_rate} for the rest, rates rising over "
            f"{plan.warm_up:.0%} of the steps and falling to zero over the last {plan.cool_down:.0%}."
        )


def _shares(plan: Plan) -> Iterator[tuple[object, ...]]:
    kinds = dict.fromkeys(kind for phase in plan.phases for kind in phase.shares)
    for kind in kinds:
        yield kind, *(f"{phase.shares.get(kind, 0) / sum(phase.shares.values()):.1%}" for phase in plan.phases)


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


def _quote(story: Mapping[str, str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in f"**{story['prompt']}**{story['text']}".split("\n"))


def _hashes(pair: Path) -> Iterator[tuple[object, ...]]:
    return ((f"`{name}`", f"`{digest}`") for name, digest in hashes(pair).items())


def _number(value: object) -> str:
    return "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def _table(head: Sequence[str], rows: Iterator[tuple[object, ...]]) -> str:
    lines = [" | ".join(head), "|".join("---" for _ in head), *(" | ".join(map(str, row)) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines)
