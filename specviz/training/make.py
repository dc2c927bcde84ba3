"""Makes a whole pair from nothing: text, tokenizer, target, drafts. Every step is kept, so that the same command goes on where it stopped."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.training import attribution, networks, openings, rows
from specviz.training import tokenizer as tokens
from specviz.training.corpus import FILES
from specviz.training.examination import knowledge
from specviz.training.loop import Curve, Told, follow
from specviz.training.mixture import HeldOut, Library, documents
from specviz.training.objectives import EARLY_EXIT, Objective, draft_losses, text_losses
from specviz.training.recipe import TARGET, DraftRecipe, DraftStage, Phase, Recipe


class Bar(Protocol):
    """Shows how far one piece of work has come."""

    def reached(self, done: int, total: int, says: str = "") -> None: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """Where and how the work is done.

    Attributes:
        corpus: folder of collected text; None for recipes that need none.
        work: folder of the checkpoints: none of it is part of the pair.
        out: folder of the finished pair.
        ready_made: prompts that the training text may not contain.
        device: of the training.
        compiled: use torch.compile.
        bar: opens a progress display with a title.
    """

    corpus: Path | None
    work: Path
    out: Path
    ready_made: tuple[str, ...]
    device: torch.device
    compiled: bool
    bar: Callable[[str], AbstractContextManager[Bar]]


def make(recipe: Recipe, bench: Bench) -> None:
    """Make the pair of `recipe` in `bench.out`: folders of weights in bfloat16, and curves.json with how the training went.

    Raises:
        CorpusError, CheckpointError, TrainingError: each with what to do; nothing half-made is left in `bench.out`.
        KeyboardInterrupt: passed on; the same command goes on from there.
    """
    kinds = {kind for plan in recipe.plans.values() for phase in plan.phases for kind in phase.shares}
    library = Library(bench.corpus, kinds)
    tokenizer = _tokenizer(recipe, bench, library)
    curves = {TARGET: _make_target(recipe, bench, library, tokenizer)}
    for stage in recipe.stages:
        curves[stage.name] = _make_drafts(recipe, stage, bench, library, tokenizer)
    if library.countries:
        knowledge.write(library.countries, bench.out)
    if bench.corpus is not None and kinds & set(FILES):
        attribution.write(bench.corpus, bench.out)
    (bench.out / "curves.json").write_text(json.dumps({name: asdict(curve) for name, curve in curves.items()}) + "\n")


def _tokenizer(recipe: Recipe, bench: Bench, library: Library) -> Tokenizer:
    texts = []
    size = 0
    with bench.bar("tokenizer") as bar:
        for _, text in documents(library, recipe.target_plan.phases[-1].shares, f"{recipe.seed} tokenizer", HeldOut()):
            texts.append(text)
            size += len(text)
            bar.reached(min(size, recipe.tokenizer_characters), recipe.tokenizer_characters, "characters")
            if size >= recipe.tokenizer_characters:
                return tokens.learn(texts, recipe.vocabulary)
    raise AssertionError("documents never end")


def _rows(recipe: Recipe, stage: str, bench: Bench, library: Library, tokenizer: Tokenizer) -> list[Tensor]:
    """The rows of every phase of a stage. They are written anew each time, which takes a minute, and are always the same."""
    held_out = openings.held_out(bench.ready_made, library)
    return [
        _phase_rows(recipe, phase, bench, library, tokenizer, held_out, f"{recipe.seed} {stage} {phase.name}")
        for phase in recipe.plans[stage].phases
    ]


def _phase_rows(
    recipe: Recipe, phase: Phase, bench: Bench, library: Library, tokenizer: Tokenizer, held_out: HeldOut, seed: str
) -> Tensor:
    count = (phase.pool or phase.tokens) // phase.context
    with bench.bar(f"text of {seed}") as bar:
        written = rows.rows(
            (text for _, text in documents(library, phase.shares, seed, held_out)),
            tokenizer,
            context=phase.context,
            count=count,
            cut=recipe.cut,
            seed=seed,
            told=lambda done: bar.reached(done, count, "rows"),
        )
    return written[: phase.tokens // phase.context]


def _make_target(recipe: Recipe, bench: Bench, library: Library, tokenizer: Tokenizer) -> Curve:
    model = networks.build(recipe.target, tokenizer.get_vocab_size(), recipe.positions, recipe.seed).to(bench.device)
    parts = _rows(recipe, TARGET, bench, library, tokenizer)
    curve = _follow(recipe, TARGET, bench, {TARGET: model}, text_losses(model, TARGET, recipe.target.exit_layer), parts)
    networks.save(model, tokenizer, bench.out / TARGET, recipe.target.exit_layer)
    return curve


def _make_drafts(recipe: Recipe, stage: DraftStage, bench: Bench, library: Library, tokenizer: Tokenizer) -> Curve:
    """All drafts of a stage at once, from the target as it was saved: so they follow the weights that people will run."""
    teacher = networks.load(bench.out / TARGET).to(bench.device).requires_grad_(False)
    students = {
        name: _untaught(recipe, draft, teacher, tokenizer, place).to(bench.device)
        for place, (name, draft) in enumerate(stage.drafts.items(), 1)
    }
    distilled = {name: student for name, student in students.items() if stage.drafts[name].distilled}
    by_text = {name: student for name, student in students.items() if not stage.drafts[name].distilled}
    parts = _rows(recipe, stage.name, bench, library, tokenizer)
    curve = _follow(recipe, stage.name, bench, students, draft_losses(distilled, by_text, teacher), parts)
    for name, student in students.items():
        networks.save(student, tokenizer, bench.out / name)
    return curve


def _untaught(
    recipe: Recipe, draft: DraftRecipe, teacher: LlamaForCausalLM, tokenizer: Tokenizer, place: int
) -> LlamaForCausalLM:
    if draft.pruned:
        return networks.pruned(teacher, draft.shape.layers)
    return networks.build(draft.shape, tokenizer.get_vocab_size(), recipe.positions, recipe.seed + place)


def _follow(
    recipe: Recipe,
    stage: str,
    bench: Bench,
    learners: Mapping[str, LlamaForCausalLM],
    objective: Objective,
    parts: list[Tensor],
) -> Curve:
    plan = recipe.plans[stage]
    with bench.bar(stage) as bar:

        def told(now: Told) -> None:
            losses = ", ".join(f"{name} {loss:.3f}" for name, loss in now.losses.items())
            bar.reached(now.tokens, now.total, f"{losses} nats, {now.rate:,.0f} tokens/s")

        return follow(
            plan,
            learners,
            objective,
            parts,
            weights={EARLY_EXIT: plan.exit_weight},
            device=bench.device,
            checkpoint=bench.work / f"{stage}.checkpoint",
            fingerprint=_fingerprint(recipe, stage, parts),
            compiled=bench.compiled,
            told=told,
        )


def _fingerprint(recipe: Recipe, stage: str, parts: list[Tensor]) -> str:
    """Of the recipe and of the very text: a checkpoint is refused when the corpus, a template or a held-out prompt has changed."""
    text = sha256()
    for part in parts:
        text.update(part.numpy().tobytes())
    return f"{recipe.fingerprint(stage)} {text.hexdigest()[:16]}"
