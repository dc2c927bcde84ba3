"""Makes a whole pair from nothing: text, tokenizer, target, drafts. Every step is kept, so that the same command goes on where it stopped."""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.errors import CheckpointError
from specviz.training import attribution, networks, openings, rows
from specviz.training import tokenizer as tokens
from specviz.training.corpus import FILES
from specviz.training.examination import knowledge
from specviz.training.loop import Curve, Told, follow
from specviz.training.mixture import HeldOut, Library, documents
from specviz.training.objectives import EARLY_EXIT, draft_losses, text_losses
from specviz.training.recipe import TARGET, DraftRecipe, Phase, Plan, Recipe


class Bar(Protocol):
    """Shows how far one piece of work has come."""

    def reached(self, done: int, total: int, says: str = "") -> None: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """Where and how the work is done.

    Attributes:
        corpus: folder of collected text; None for recipes that need none.
        work: folder of rows, checkpoints and curves: none of it is part of the pair.
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
    kinds = {
        kind
        for plan in (recipe.target_plan, recipe.draft_plan)
        if plan
        for phase in plan.phases
        for kind in phase.shares
    }
    library = Library(bench.corpus, kinds)
    _open_work(recipe, bench)
    tokenizer = _tokenizer(recipe, bench, library)
    curves: dict[str, Curve] = {TARGET: _make_target(recipe, bench, library, tokenizer)}
    if recipe.draft_plan is not None:
        curves["drafts"] = _make_drafts(recipe, recipe.draft_plan, bench, library, tokenizer)
    if library.countries:
        knowledge.write(library.countries, bench.out)
    if bench.corpus is not None and kinds & set(FILES):
        attribution.write(bench.corpus, bench.out)
    (bench.out / "curves.json").write_text(json.dumps({name: asdict(curve) for name, curve in curves.items()}) + "\n")


def fingerprint(recipe: Recipe) -> str:
    """Changes when the recipe does."""
    return hashlib.sha256(repr(recipe).encode()).hexdigest()[:16]


def _open_work(recipe: Recipe, bench: Bench) -> None:
    """Refuse to mix two recipes in one folder."""
    mark = bench.work / "recipe.txt"
    bench.work.mkdir(parents=True, exist_ok=True)
    if mark.exists() and mark.read_text() != fingerprint(recipe):
        raise CheckpointError(
            f"The folder {str(bench.work)!r} holds the work of another recipe: remove it, or give another --work folder."
        )
    mark.write_text(fingerprint(recipe))


def _tokenizer(recipe: Recipe, bench: Bench, library: Library) -> Tokenizer:
    folder = bench.work / "tokenizer"
    if not (folder / "tokenizer.json").exists():
        with bench.bar("tokenizer") as bar:
            texts = []
            size = 0
            for _, text in documents(
                library, recipe.target_plan.phases[-1].shares, f"{recipe.seed} tokenizer", HeldOut()
            ):
                texts.append(text)
                size += len(text)
                bar.reached(min(size, recipe.tokenizer_characters), recipe.tokenizer_characters, "characters")
                if size >= recipe.tokenizer_characters:
                    break
            tokens.save(tokens.learn(texts, recipe.vocabulary), folder)
    return tokens.load(folder)


def _rows(recipe: Recipe, plan: Plan, bench: Bench, library: Library, tokenizer: Tokenizer, stage: str) -> list[Tensor]:
    """The rows of every phase, read from the work folder where they are already there."""
    held_out = openings.held_out(bench.ready_made, library)
    return [
        _phase_rows(recipe, phase, bench, library, tokenizer, held_out, f"{recipe.seed} {stage} {phase.name}")
        for phase in plan.phases
    ]


def _phase_rows(
    recipe: Recipe, phase: Phase, bench: Bench, library: Library, tokenizer: Tokenizer, held_out: HeldOut, seed: str
) -> Tensor:
    path = bench.work / f"rows {seed}.safetensors"
    if path.exists():
        return load_file(path)["rows"]
    count = phase.tokens // phase.context
    with bench.bar(f"text of {seed}") as bar:
        filled = rows.rows(
            (text for _, text in documents(library, phase.shares, seed, held_out)),
            tokenizer,
            context=phase.context,
            count=count,
            cut=recipe.cut,
            seed=seed,
            told=lambda done: bar.reached(done, count, "rows"),
        )
    partial = path.with_suffix(".partial")
    save_file({"rows": filled}, partial)
    partial.replace(path)
    return filled


def _make_target(recipe: Recipe, bench: Bench, library: Library, tokenizer: Tokenizer) -> Curve:
    model = networks.build(recipe.target, tokenizer.get_vocab_size(), recipe.positions, recipe.seed).to(bench.device)
    plan = recipe.target_plan
    curve = _follow(
        recipe,
        bench,
        TARGET,
        plan,
        {TARGET: model},
        text_losses(model, TARGET, recipe.target.exit_layer),
        _rows(recipe, plan, bench, library, tokenizer, TARGET),
    )
    networks.save(model, tokenizer, bench.out / TARGET, recipe.target.exit_layer)
    return curve


def _make_drafts(recipe: Recipe, plan: Plan, bench: Bench, library: Library, tokenizer: Tokenizer) -> Curve:
    """All drafts at once, from the target as it was saved: so they follow the weights that people will run."""
    teacher = networks.load(bench.out / TARGET).to(bench.device).requires_grad_(False)
    students = {
        name: networks.build(draft.shape, tokenizer.get_vocab_size(), recipe.positions, recipe.seed + place).to(
            bench.device
        )
        for place, (name, draft) in enumerate(recipe.drafts.items(), 1)
    }
    curve = _follow(
        recipe,
        bench,
        "drafts",
        plan,
        students,
        draft_losses(
            _chosen(students, recipe.drafts, distilled=True), _chosen(students, recipe.drafts, distilled=False), teacher
        ),
        _rows(recipe, plan, bench, library, tokenizer, "drafts"),
    )
    for name, student in students.items():
        networks.save(student, tokenizer, bench.out / name)
    return curve


def _chosen(
    students: Mapping[str, LlamaForCausalLM], drafts: Mapping[str, DraftRecipe], *, distilled: bool
) -> dict[str, LlamaForCausalLM]:
    return {name: student for name, student in students.items() if drafts[name].distilled is distilled}


def _follow(
    recipe: Recipe,
    bench: Bench,
    stage: str,
    plan: Plan,
    learners: Mapping[str, LlamaForCausalLM],
    objective: Callable[[Tensor], Mapping[str, Tensor]],
    parts: list[Tensor],
) -> Curve:
    with bench.bar(stage) as bar:

        def told(now: Told) -> None:
            losses = ", ".join(f"{name} {loss:.3f}" for name, loss in islice(now.losses.items(), 4))
            bar.reached(now.tokens, now.total, f"{losses} nats, {now.rate:,.0f} tokens/s")

        return follow(
            plan,
            learners,
            objective,
            parts,
            weights={EARLY_EXIT: plan.exit_weight},
            device=bench.device,
            checkpoint=bench.work / f"{stage}.checkpoint",
            fingerprint=fingerprint(recipe),
            compiled=bench.compiled,
            told=told,
        )
