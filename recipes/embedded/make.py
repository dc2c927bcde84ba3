"""Makes a complete pair: text, tokenizer, target, drafts. Every step is saved, so that the same command continues where it stopped."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from random import Random

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import LlamaForCausalLM

from recipes.embedded import architecture, attribution, batches, continuations, knowledge, llama_folder, openings
from recipes.embedded import tokenizer as tokens
from recipes.embedded.base_pair import CURVES, BasePair
from recipes.embedded.corpus import FILES
from recipes.embedded.mixture import HeldOut, Library, documents
from recipes.embedded.objectives import EARLY_EXIT, draft_losses, text_losses
from recipes.embedded.recipe import TARGET, DraftRecipe, DraftStage, Phase, Recipe, Shape, TargetStage
from specviz.training import checkpoints
from specviz.training.progress_bars import OpensBar
from specviz.training.training_loop import Curve, Objective, TrainingProgress, follow

_IDENTIFYING = 1000
"""Documents at the beginning of a stream by which it is recognised."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where and how a pair is made.

    Attributes:
        corpus: folder of collected text; None if the recipe needs none.
        work: folder of the checkpoints, which are not part of the pair.
        out: folder of the finished pair.
        ready_made: prompts that the training text may not contain.
        device: on which the networks are trained.
        precision: of matrix multiplications.
        compiled: whether to use torch.compile.
        bar: opens a progress display with a title.
        base: the pair to continue from; None to start from nothing.
    """

    corpus: Path | None
    work: Path
    out: Path
    ready_made: tuple[str, ...]
    device: torch.device
    precision: torch.dtype
    compiled: bool
    bar: OpensBar
    base: BasePair | None = None


def make(recipe: Recipe, workshop: Workshop) -> None:
    """Make the pair of `recipe` in `workshop.out`: folders of weights in bfloat16, and curves.json with the losses of the trainings.

    Raises:
        CorpusError, CheckpointError, TrainingError: the message says what to do; nothing incomplete is left in `workshop.out`.
        KeyboardInterrupt: passed on; the same call continues from the last checkpoint.
    """
    kinds = recipe.kinds
    library = Library(workshop.corpus, kinds)
    tokenizer = workshop.base.tokenizer if workshop.base else _learnt_tokenizer(recipe, workshop, library)
    making = _Making(recipe, workshop, library, openings.held_out(workshop.ready_made, library), tokenizer)
    making.everything()
    if library.countries:
        knowledge.write(library.countries, workshop.out)
    if workshop.corpus is not None and kinds & set(FILES):
        attribution.write(workshop.corpus, workshop.out)
    (workshop.out / CURVES).write_text(
        json.dumps({name: asdict(curve) for name, curve in making.curves.items()}) + "\n"
    )


def _learnt_tokenizer(recipe: Recipe, workshop: Workshop, library: Library) -> Tokenizer:
    texts = []
    size = 0
    shares = recipe.target_stages[0].plan.phases[-1].shares
    with workshop.bar("tokenizer") as bar:
        for _, text in documents(library, shares, f"{recipe.seed} tokenizer", HeldOut()):
            texts.append(text)
            size += len(text)
            bar.reached(min(size, recipe.tokenizer_characters), recipe.tokenizer_characters, "characters")
            if size >= recipe.tokenizer_characters:
                return tokens.learn(texts, recipe.vocabulary)
    raise AssertionError("documents never end")


@dataclass(slots=True)
class _Making:
    """The trainings of one pair, and what they share.

    Attributes:
        curves: of the finished trainings.
        latest: name of a network -> folder in which its last training saved it.
    """

    recipe: Recipe
    workshop: Workshop
    library: Library
    held_out: HeldOut
    tokenizer: Tokenizer
    curves: dict[str, Curve] = field(default_factory=dict)
    latest: dict[str, Path] = field(default_factory=dict)

    def everything(self) -> None:
        """Do all trainings in their order. Each reads the weights that earlier ones saved, so a pair can be moved to another machine in between."""
        if base := self.workshop.base:
            self.curves, self.latest = dict(base.curves), dict(base.networks)
        for step in self.recipe.steps[len(self.curves) :]:
            self.curves[step.name] = (
                self.target_stage(step) if isinstance(step, TargetStage) else self.draft_stage(step)
            )
        for name, folder in self.latest.items():
            self._save(llama_folder.load(folder), name, self.workshop.out)

    def target_stage(self, stage: TargetStage) -> Curve:
        """One training of the target."""
        shape = self.recipe.target
        begins = llama_folder.load(self.latest[TARGET]) if TARGET in self.latest else self._built(shape, 0)
        model = begins.to(self.workshop.device)
        objective = text_losses(model, TARGET, shape.exit_layer)
        curve = self._follow(stage.name, {TARGET: model}, objective, self._rows(stage.name))
        self._keep(stage.name, {TARGET: model})
        return curve

    def draft_stage(self, stage: DraftStage) -> Curve:
        """Train all drafts of a stage together. The teacher is the saved target, in bfloat16, because people run those weights."""
        teacher = llama_folder.load(self.latest[TARGET]).to(self.workshop.device).requires_grad_(False)
        students = {
            name: self._initial(name, draft, teacher, index).to(self.workshop.device)
            for index, (name, draft) in enumerate(stage.drafts.items(), 1)
        }
        distilled = {name: student for name, student in students.items() if stage.drafts[name].distilled}
        by_text = {name: student for name, student in students.items() if not stage.drafts[name].distilled}
        objective = draft_losses(distilled, by_text, teacher)
        curve = self._follow(stage.name, students, objective, self._rows(stage.name, teacher))
        self._keep(stage.name, students)
        return curve

    def _keep(self, step: str, models: Mapping[str, LlamaForCausalLM]) -> None:
        for name, model in models.items():
            self._save(model, name, self.workshop.work / step)
            self.latest[name] = self.workshop.work / step / name

    def _save(self, model: LlamaForCausalLM, name: str, folder: Path) -> None:
        architecture.save(
            model, self.tokenizer, folder / name, self.recipe.target.exit_layer if name == TARGET else None
        )

    def _initial(self, name: str, draft: DraftRecipe, teacher: LlamaForCausalLM, index: int) -> LlamaForCausalLM:
        if draft.continued:
            return llama_folder.load(self.latest[name])
        return architecture.pruned(teacher, draft.shape.layers) if draft.pruned else self._built(draft.shape, index)

    def _built(self, shape: Shape, index: int) -> LlamaForCausalLM:
        recipe = self.recipe
        return architecture.build(shape, self.tokenizer.get_vocab_size(), recipe.positions, recipe.seed + index)

    def _rows(self, step: str, target: LlamaForCausalLM | None = None) -> list[Tensor]:
        """The rows of every phase of a training. They are written again in every run, which takes a minute, and are always the same."""
        found = []
        for phase in self.recipe.plans[step].phases:
            seed = f"{self.recipe.seed} {step} {phase.name}"
            if phase.by_target:
                assert target is not None, "a training of the target cannot use text that the target writes"
                texts = documents(self.library, phase.shares, seed, self.held_out, continuations.CHARACTERS)
                written = self._written_by(target, phase, texts, seed)
            else:
                texts = documents(self.library, phase.shares, seed, self.held_out)
                written = self._written(phase, texts, seed)
            found.append(written[torch.arange(phase.tokens // phase.context) % len(written)])
        return found

    def _written(self, phase: Phase, texts: Iterator[tuple[str, str]], seed: str) -> Tensor:
        count = _count(phase)
        with self.workshop.bar(f"text of {seed}") as bar:
            return batches.rows(
                (text for _, text in texts),
                self.tokenizer,
                context=phase.context,
                count=count,
                cut=self.recipe.cut,
                seed=seed,
                end=tokens.END_ID,
                report=lambda done: bar.reached(done, count, "rows"),
            )

    def _written_by(
        self, target: LlamaForCausalLM, phase: Phase, texts: Iterator[tuple[str, str]], seed: str
    ) -> Tensor:
        """Rows of text that the target writes. This takes long, so they are saved in the work folder and read from there the next time."""
        path = self.workshop.work / f"{seed.replace(' ', '-')}.rows"
        first = list(islice(texts, _IDENTIFYING))
        beginnings = sha256(repr((phase, first)).encode()).hexdigest()[:16]
        fingerprint = f"{beginnings} {_digest(target.parameters())}"
        if kept := checkpoints.read(path, fingerprint):
            found: Tensor = kept["rows"]
            return found
        count = _count(phase)
        with self.workshop.bar(f"the target writes {seed}") as bar:
            written = batches.fill(
                continuations.written(
                    target, self.tokenizer, chain(first, texts), seed, self.workshop.precision, phase.as_text
                ),
                context=phase.context,
                count=count,
                random=Random(seed),  # noqa: S311  # text, not secrets
                report=lambda done: bar.reached(done, count, "rows"),
            )
        checkpoints.write(path, {"fingerprint": fingerprint, "rows": written})
        return written

    def _follow(
        self, step: str, learners: Mapping[str, LlamaForCausalLM], objective: Objective, parts: list[Tensor]
    ) -> Curve:
        plan, workshop = self.recipe.plans[step], self.workshop
        with workshop.bar(step) as bar:

            def report(now: TrainingProgress) -> None:
                losses = ", ".join(f"{name} {loss:.3f}" for name, loss in now.losses.items())
                bar.reached(now.tokens, now.total, f"{losses} nats, {now.rate:,.0f} tokens/s")

            return follow(
                plan,
                learners,
                objective,
                parts,
                weights={EARLY_EXIT: plan.exit_weight},
                device=workshop.device,
                precision=workshop.precision,
                checkpoint=workshop.work / f"{step}.checkpoint",
                fingerprint=_fingerprint(self.recipe, step, parts),
                compiled=workshop.compiled,
                report=report,
            )


def _count(phase: Phase) -> int:
    """Number of rows that are prepared for a phase."""
    return (phase.pool or phase.tokens) // phase.context


def _fingerprint(recipe: Recipe, step: str, parts: list[Tensor]) -> str:
    """A hash of recipe and text: a checkpoint is refused if the corpus, a template or a held-out prompt has changed."""
    return f"{recipe.fingerprint(step)} {_digest(parts)}"


def _digest(parts: Iterable[Tensor]) -> str:
    found = sha256()
    for part in parts:
        found.update(part.detach().cpu().numpy().tobytes())
    return found.hexdigest()[:16]
