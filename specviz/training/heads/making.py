"""Makes a head for a target: text, network, training. Every step is saved, so that the same command continues where it stopped."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import psutil
import torch
from torch import Tensor, nn

from specviz.decoding.drafters import registry
from specviz.errors import PairError, TrainingError
from specviz.models.heads.folder import begun, digest_of, read_spec
from specviz.models.heads.frozen import Frozen
from specviz.models.heads.kinds import network_of
from specviz.models.heads.spec import Shape, Spec
from specviz.models.loading import Target
from specviz.training.drafts.distil import kept_ids, share_written
from specviz.training.drafts.store import OwnText
from specviz.training.duration import TIMED, epochs_in
from specviz.training.heads.kinds import MODULES
from specviz.training.heads.objective import HeadKind, TargetRows
from specviz.training.heads.options import applied, written
from specviz.training.heads.rows import batch_of, rows
from specviz.training.heads.settings import COOL_DOWN, TRIMMED_FROM
from specviz.training.heads.source import PromptSource, source_of
from specviz.training.heads.teacher import SAMPLE, Teacher, WideParts, kept_states, sample, states_of
from specviz.training.made_folder import points_of
from specviz.training.making import MakingRequest, facts_of_training
from specviz.training.plan import Phase, TrainingPlan
from specviz.training.precision import fast_precision, wide_norms
from specviz.training.recognition import check_work, digest, digest_of_files, once
from specviz.training.training_loop import Curve, CurvePoint, finished, follow, now_on

_EVERY_UNSEEN = 40
"""One text in so many is not learnt from: the finished head is measured on it."""
_MOST_UNSEEN = 256
_STATES_SHARE = 4
"""The states that are kept take at most this fraction of the memory."""
_PROBED = 9
"""Ids of the pass that shows whether the states of a target can be read."""
_MOST_DIFFERENT = 1e-2
"""The largest difference between the target's own logits and those of its states that rounding may cause, as a share of their range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadRequest(MakingRequest):
    """What is asked for, of a head; `texts` as in `source_of`.

    Attributes:
        kind: of the head.
        given: options of the kind that were asked for, see `options.parsed`.
        name: what the target was called on the command line.
        quick: whether the head is a small one too.
    """

    kind: str
    given: Mapping[str, Any]
    name: str
    quick: bool


@dataclass(frozen=True, slots=True)
class MadeHead:
    """A trained head, and all that its folder and card show.

    Attributes:
        head: in float32 on the CPU.
        spec: what it is.
        tokens: the ids that it may write, ascending; None for all.
        curve: of its training.
        source: of its text; the prompts of the examination are in here.
        longest: how many tokens it drafts at most.
        facts: plain values that describe how it was made.
    """

    head: nn.Module
    spec: Spec
    tokens: Tensor | None
    curve: Curve
    source: PromptSource
    longest: int
    facts: dict[str, Any]


def make(request: HeadRequest) -> MadeHead:
    """Write the text, train.

    Raises:
        PairError: the target cannot be loaded, or the head that is trained further does not fit.
        TrainingError, CheckpointError, CorpusError: the message says what to do.
        KeyboardInterrupt: passed on; the same call continues where this one stopped.
    """
    kind, effort = kind_named(request.kind), request.effort
    usual = {**kind.options, **(kind.quick if request.quick else {})}
    if request.start is not None:
        its = read_spec(request.start).options
        usual = {name: its.get(name, value) for name, value in usual.items()}
    options = applied(kind.name, usual, request.given)
    target = request.target()
    target.model.requires_grad_(False)
    shape = Shape.of(target.model.config, target.text.vocabulary)
    taps = kind.taps(shape.depth)
    check_states(target, taps)
    spec = Spec(kind.name, target.card.name, digest_of(target.model), shape, taps, options, target.text.digest)
    _check_options(spec)
    start, earlier = None, list[CurvePoint]()
    if request.start is not None:
        start, earlier = begun(request.start, spec), points_of(request.start, kind.name)
    found = source_of(target, request.texts, effort.prompts)
    check_work(request.work, target)
    own = request.text(target, found.documents, found.unseen)
    learnt, unseen = _split(own)
    if request.own_text and request.own_tokens:  # on the same texts, however many are learnt from
        learnt = own = learnt.some(request.own_tokens, request.seed)
    identity = f"{digest_of_files(target)} {spec.as_json()}"
    if start is None:
        tokens, covered = _trimmed(own, effort.kept, shape.vocabulary)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(request.seed)
            head = network_of(spec)
    else:
        head, tokens = start
        covered = 1.0 if tokens is None else share_written(own, tokens)
        identity += f" {digest(*head.state_dict().values())}"
    head.to(request.device)
    facts: dict[str, Any] = {
        **request.facts(target, own, found.words),
        "kind": kind.name,
        "drafter": next(name for name, each in registry.descriptions().items() if each.head == kind.name),
        "asked_target": request.name,
        "parameters": sum(weight.numel() for weight in head.parameters()),
        "taps": list(taps),
        "options": options,
        "given": dict(request.given),
        "about": kind.about,
        "option": found.option,
        "begun_tokens": earlier[-1].tokens if earlier else 0,
        "kept": shape.vocabulary if tokens is None else len(tokens),
        "vocabulary": shape.vocabulary,
        "kept_share": covered,
    }
    training = _Training(request, kind, target, head, tokens, taps).with_epochs(learnt)
    facts["epochs"] = training.request.effort.epochs
    curve, plan = training.follow(learnt, identity)
    facts |= facts_of_training(curve, plan)
    curve = curve.after(earlier)
    noted, missed = training.on(unseen)
    apart = {name: training.on(part)[1] for name, part in unseen.by_prompts().items()}
    spec = replace(spec, options={**options, **noted})
    facts["noted"] = noted
    facts |= {
        "unseen_texts": len(unseen.starts),
        "unseen": missed,
        "unseen_by_prompts": apart,
    }
    del target
    gc.collect()
    return MadeHead(head.cpu().eval(), spec, tokens, curve, found, kind.longest(options), facts)


def kind_named(name: str) -> HeadKind:
    """How heads of this kind are trained."""
    found: HeadKind = import_module(f"{__package__}.{MODULES[name]}").KINDS[name]
    return found


def _check_options(spec: Spec) -> None:
    """Check, before anything is written, that a network has these options; no memory is allocated.

    Raises:
        TrainingError: none has.
    """
    try:
        with torch.device("meta"):
            network_of(spec)
    except ValueError as error:
        raise TrainingError(f"The head {error}: change --option.") from None


@torch.no_grad()
def check_states(target: Target, taps: tuple[int, ...]) -> None:
    """Check, before anything is written, that the states of this target are what its head reads.

    Raises:
        TrainingError: they cannot be read, or they are not.
    """
    model = target.model
    ids = torch.arange(_PROBED, device=model.device)[None] % model.get_input_embeddings().num_embeddings
    _, final = states_of(model, ids, taps)
    try:
        own = model(ids, use_cache=False).logits[..., : target.text.vocabulary].float()
        found = Frozen.of_model(model, target.text.vocabulary).score(final)[..., : own.shape[-1]].float()
    except PairError as error:
        raise TrainingError(str(error)) from None
    if not float((own - found).abs().max()) <= _MOST_DIFFERENT * float(own.max() - own.min()):
        raise TrainingError(
            f"The states that {type(model).__name__} shows are not those that its output layer reads, so no head can be trained for it: "
            "choose another target."
        )


def _trimmed(own: OwnText, most: int, vocabulary: int) -> tuple[Tensor | None, float]:
    """The ids that a head may write, and the share of the target's text that they cover."""
    if vocabulary <= TRIMMED_FROM * most:
        return None, 1.0
    return kept_ids(own, most)


def _split(own: OwnText) -> tuple[OwnText, OwnText]:
    """The texts that are learnt from, and those on which the finished head is measured; of very few texts all are both."""
    apart = [index % _EVERY_UNSEEN == _EVERY_UNSEEN - 1 for index in range(len(own.starts))]
    if not any(apart):
        return own, own
    return own.only([not chosen for chosen in apart]), own.only(apart)


@dataclass(frozen=True, slots=True)
class _Training:
    """A head that learns from a target."""

    request: HeadRequest
    kind: HeadKind
    target: Target
    head: nn.Module
    tokens: Tensor | None
    taps: tuple[int, ...]

    @property
    def borrowed(self) -> WideParts:
        """The target's own parts."""
        here = None if self.tokens is None else self.tokens.to(self.request.device)
        return WideParts(Frozen.of_model(self.target.model, self.target.text.vocabulary, here))

    def with_epochs(self, own: OwnText) -> "_Training":
        """The same, reading the text as often as the seconds that were asked for allow; measured once for each work folder."""
        request = self.request
        effort, precision = request.effort, fast_precision(request.device)
        if effort.seconds is None:
            return self
        _, size = batch_of(own, effort)
        share = (TIMED + 1) * size / max(1, len(own.starts))
        batches = torch.split(rows(own, effort.context, size, "timing", share), size)
        teacher, borrowed, copied = (
            Teacher(self.target.model, own, self.taps, request.seed),
            self.borrowed,
            deepcopy(self.head),
        )

        def learn(batch: Tensor) -> Tensor:
            with torch.autocast(request.device.type, torch.bfloat16, enabled=precision == torch.bfloat16):
                found = self.kind.losses(copied, teacher.read(batch), borrowed)
            return torch.stack([loss for name, loss in found.items() if name not in self.kind.shown]).sum()

        with wide_norms(copied):
            epochs = once(
                request.work / f"{self.kind.name}.epochs.json",
                f"{digest(own.ids, own.starts)} {effort.seconds} {effort.context} {size} {request.seed}",
                lambda: epochs_in(effort.seconds or 0.0, learn, batches, len(own.starts)),
            )
        return replace(self, request=replace(request, effort=replace(effort, epochs=epochs)))

    def follow(self, own: OwnText, identity: str) -> tuple[Curve, TrainingPlan]:
        """Train in place."""
        request, kind, effort = self.request, self.kind, self.request.effort
        precision = fast_precision(request.device)
        usual, size = batch_of(own, effort)
        parts = rows(own, effort.context, size, f"{request.seed} own text", effort.epochs)
        plan = TrainingPlan(
            (Phase(usual),),
            min(size, len(parts)) * usual,
            matrix_rate=kind.matrix_rate * request.rate,
            other_rate=kind.other_rate * request.rate,
            warm_up=effort.warm_up,
            cool_down=COOL_DOWN,
        )
        content = digest(own.ids, own.starts, own.top, *(() if self.tokens is None else (self.tokens,)))
        begun_before = request.start is not None
        what = f"continued {kind.name}" if begun_before else kind.name
        checkpoint = request.work / f"{what}{written(request.given)}.checkpoint"
        prepared = "" if kind.reads is None else f" {SAMPLE} states"
        fingerprint = (
            f"{identity} {content} {effort.context} {effort.epochs} {request.seed} {plan} {precision}{prepared}"
        )
        done = finished(plan, [parts], checkpoint, fingerprint)
        teacher, borrowed = self._teacher(own, size, keep=not done and effort.epochs > 1), self.borrowed

        def losses(batch: Tensor) -> Mapping[str, Tensor]:
            return kind.losses(self.head, teacher.read(batch), borrowed)

        read = (
            nullcontext() if kind.reads is None else kind.reads(self.head, sample(teacher, parts, size), begun_before)
        )
        with request.bar("training") as bar, wide_norms(self.head), read:
            curve = follow(
                plan,
                {kind.name: self.head},
                losses,
                [parts],
                weights=dict.fromkeys(kind.shown, 0.0),
                device=request.device,
                precision=precision,
                checkpoint=checkpoint,
                fingerprint=fingerprint,
                compiled=False,
                report=now_on(bar),
            )
        return curve, plan

    def _teacher(self, own: OwnText, size: int, *, keep: bool) -> Teacher:
        """With the states of all texts, if they are kept and there is room."""
        request = self.request
        teacher = Teacher(self.target.model, own, self.taps, request.seed)
        if not keep:
            return teacher
        with request.bar("the target reads") as bar:
            all_texts = rows(own, request.effort.context, size, "kept")
            memory = psutil.virtual_memory().total // _STATES_SHARE
            kept = kept_states(teacher, all_texts, size, memory, lambda done, most: bar.reached(done, most, "texts"))
        return replace(teacher, kept=kept)

    @torch.no_grad()
    def on(self, unseen: OwnText) -> tuple[Mapping[str, Any], dict[str, float]]:
        """What the drafter of this head should know, and what is shown of these texts."""
        _, size = batch_of(unseen, self.request.effort)
        parts = rows(unseen, self.request.effort.context, size, "unseen")[:_MOST_UNSEEN]
        teacher, borrowed = Teacher(self.target.model, unseen, self.taps, self.request.seed), self.borrowed

        def read() -> Iterator[TargetRows]:
            return (teacher.read(parts[at : at + size]) for at in range(0, len(parts), size))

        sums = dict.fromkeys(self.kind.shown, 0.0)
        asked = 0
        found: set[str] = set()
        for each in read():
            weight = int(each.written.sum())
            losses = self.kind.losses(self.head, each, borrowed)
            found |= losses.keys()
            for name in self.kind.shown:
                sums[name] += weight * float(losses[name]) if name in losses else 0.0
            asked += weight
        noted = {} if self.kind.notes is None else self.kind.notes(self.head, read(), borrowed)
        return noted, {name: value / max(asked, 1) for name, value in sums.items() if name in found}
