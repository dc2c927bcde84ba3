"""Makes a whole pair from nothing: text, tokenizer, target, drafts. Every step is kept, so that the same command goes on where it stopped."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Protocol

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.errors import TrainingError
from specviz.training import attribution, checkpoints, continuations, networks, openings, rows
from specviz.training import tokenizer as tokens
from specviz.training.corpus import FILES
from specviz.training.examination import knowledge
from specviz.training.loop import Curve, Point, Told, follow
from specviz.training.mixture import HeldOut, Library, documents
from specviz.training.objectives import EARLY_EXIT, LOOPS, Objective, draft_losses, loop_losses, text_losses, together
from specviz.training.recipe import TARGET, DraftRecipe, DraftStage, Phase, Recipe


CURVES = "curves.json"
"""In a pair's folder: how each of its trainings went."""


class Bar(Protocol):
    """Shows how far one piece of work has come."""

    def reached(self, done: int, total: int, says: str = "") -> None: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """Where and how the work is done.

    Attributes:
        corpus: folder of collected text; None for recipes that need none.
        begun: a pair to go on from: its tokenizer, and its target with the sittings that its curves tell of; None to begin with nothing.
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
    begun: Path | None = None


def make(recipe: Recipe, bench: Bench) -> None:
    """Make the pair of `recipe` in `bench.out`: folders of weights in bfloat16, and curves.json with how the training went.

    Raises:
        CorpusError, CheckpointError, TrainingError: each with what to do; nothing half-made is left in `bench.out`.
        KeyboardInterrupt: passed on; the same command goes on from there.
    """
    kinds = {kind for plan in recipe.plans.values() for phase in plan.phases for kind in phase.shares}
    library = Library(bench.corpus, kinds)
    tokenizer = _tokenizer(recipe, bench, library)
    curves = _make_target(recipe, bench, library, tokenizer)
    for stage in recipe.stages:
        curves[stage.name] = _make_drafts(recipe, stage, bench, library, tokenizer)
    if library.countries:
        knowledge.write(library.countries, bench.out)
    if bench.corpus is not None and kinds & set(FILES):
        attribution.write(bench.corpus, bench.out)
    (bench.out / CURVES).write_text(json.dumps({name: asdict(curve) for name, curve in curves.items()}) + "\n")


def _tokenizer(recipe: Recipe, bench: Bench, library: Library) -> Tokenizer:
    if bench.begun is not None:
        return tokens.load(bench.begun / TARGET)
    texts = []
    size = 0
    with bench.bar("tokenizer") as bar:
        for _, text in documents(
            library, recipe.sittings[0].plan.phases[-1].shares, f"{recipe.seed} tokenizer", HeldOut()
        ):
            texts.append(text)
            size += len(text)
            bar.reached(min(size, recipe.tokenizer_characters), recipe.tokenizer_characters, "characters")
            if size >= recipe.tokenizer_characters:
                return tokens.learn(texts, recipe.vocabulary)
    raise AssertionError("documents never end")


def _rows(
    recipe: Recipe,
    stage: str,
    bench: Bench,
    library: Library,
    tokenizer: Tokenizer,
    target: LlamaForCausalLM | None = None,
) -> list[Tensor]:
    """The rows of every phase of a stage. They are written anew each time, which takes a minute, and are always the same.

    What the target has to write takes longer, and is kept in the work folder.
    """
    held_out = openings.held_out(bench.ready_made, library)
    found = []
    for phase in recipe.plans[stage].phases:
        seed = f"{recipe.seed} {stage} {phase.name}"
        texts = documents(library, phase.shares, seed, held_out)
        count = (phase.pool or phase.tokens) // phase.context
        if phase.by_target:
            assert target is not None, "a target's own sitting cannot ask for what the target writes"
            written = _written(recipe, phase, bench, texts, tokenizer, target, seed)
        else:
            with bench.bar(f"text of {seed}") as bar:
                written = rows.rows(
                    (text for _, text in texts),
                    tokenizer,
                    context=phase.context,
                    count=count,
                    cut=recipe.cut,
                    seed=seed,
                    told=lambda done, bar=bar: bar.reached(done, count, "rows"),  # type: ignore[misc]
                )
        found.append(written[torch.arange(phase.tokens // phase.context) % len(written)])
    return found


def _written(
    recipe: Recipe,
    phase: Phase,
    bench: Bench,
    texts: Iterator[tuple[str, str]],
    tokenizer: Tokenizer,
    target: LlamaForCausalLM,
    seed: str,
) -> Tensor:
    """Rows of what the target itself writes; read from the work folder when it wrote them before."""
    path = bench.work / f"{seed.replace(' ', '-')}.rows"
    fingerprint = f"{recipe.seed} {phase} {_digest(parameter.detach().cpu() for parameter in target.parameters())}"
    if kept := checkpoints.read(path, fingerprint):
        return kept["rows"]  # type: ignore[no-any-return]
    count = (phase.pool or phase.tokens) // phase.context
    with bench.bar(f"the target writes {seed}") as bar:
        written = rows.fill(
            continuations.written(target, tokenizer, texts, seed),
            context=phase.context,
            count=count,
            random=Random(seed),  # noqa: S311  # text, not secrets
            told=lambda done: bar.reached(done, count, "rows"),
        )
    checkpoints.write(path, {"fingerprint": fingerprint, "rows": written})
    return written


def _make_target(recipe: Recipe, bench: Bench, library: Library, tokenizer: Tokenizer) -> dict[str, Curve]:
    """Sitting after sitting, each from the weights as the one before saved them: so it does not matter whether they were carried elsewhere."""
    curves = {} if bench.begun is None else _begun(recipe, bench.begun)
    last = None if bench.begun is None else bench.begun / TARGET
    for sitting in recipe.sittings[len(curves) :]:
        model = (
            networks.build(recipe.target, tokenizer.get_vocab_size(), recipe.positions, recipe.seed)
            if last is None
            else networks.load(last)
        ).to(bench.device)
        parts = _rows(recipe, sitting.name, bench, library, tokenizer)
        objective = text_losses(model, TARGET, recipe.target.exit_layer)
        if sitting.plan.loop_weight:
            objective = together(objective, loop_losses(model, tokens.prose(tokenizer).to(bench.device)))
        curves[sitting.name] = _follow(recipe, sitting.name, bench, {TARGET: model}, objective, parts)
        last = bench.work / sitting.name
        networks.save(model, tokenizer, last, recipe.target.exit_layer)
    assert last is not None
    shutil.copytree(last, bench.out / TARGET, dirs_exist_ok=True)
    return curves


def _begun(recipe: Recipe, pair: Path) -> dict[str, Curve]:
    """The curves of the recipe's sittings that a pair has behind it.

    Raises:
        TrainingError: its curves cannot be read, or are not those of this recipe's first sittings.
    """
    names = [sitting.name for sitting in recipe.sittings]
    try:
        told = json.loads((pair / CURVES).read_text())
        found = {
            name: Curve(
                [Point(point["tokens"], point["losses"]) for point in told[name]["points"]], told[name]["seconds"]
            )
            for name in names
            if name in told
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{str(pair / CURVES)!r} does not tell what the pair has behind it ({type(error).__name__}): give a pair that `train make` made."
        ) from None
    if not found or list(found) != names[: len(found)]:
        raise TrainingError(
            f"The pair in {str(pair)!r} has not the first of this recipe's sittings ({', '.join(names)}) behind it: give another pair or recipe."
        )
    return found


def _make_drafts(recipe: Recipe, stage: DraftStage, bench: Bench, library: Library, tokenizer: Tokenizer) -> Curve:
    """All drafts of a stage at once, from the target as it was saved: so they follow the weights that people will run."""
    teacher = networks.load(bench.out / TARGET).to(bench.device).requires_grad_(False)
    students = {
        name: _untaught(recipe, draft, teacher, tokenizer, place).to(bench.device)
        for place, (name, draft) in enumerate(stage.drafts.items(), 1)
    }
    distilled = {name: student for name, student in students.items() if stage.drafts[name].distilled}
    by_text = {name: student for name, student in students.items() if not stage.drafts[name].distilled}
    parts = _rows(recipe, stage.name, bench, library, tokenizer, teacher)
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
            weights={EARLY_EXIT: plan.exit_weight, LOOPS: plan.loop_weight},
            device=bench.device,
            checkpoint=bench.work / f"{stage}.checkpoint",
            fingerprint=_fingerprint(recipe, stage, parts),
            compiled=bench.compiled,
            told=told,
        )


def _fingerprint(recipe: Recipe, stage: str, parts: list[Tensor]) -> str:
    """Of the recipe and of the very text: a checkpoint is refused when the corpus, a template or a held-out prompt has changed."""
    return f"{recipe.fingerprint(stage)} {_digest(parts)}"


def _digest(parts: Iterable[Tensor]) -> str:
    text = sha256()
    for part in parts:
        text.update(part.numpy().tobytes())
    return text.hexdigest()[:16]
