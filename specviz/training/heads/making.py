"""Makes a head for a target: text, network, training. Every step is saved, so that the same command continues where it stopped."""

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from specviz.errors import PairError, TrainingError
from specviz.models.heads.folder import digest_of
from specviz.models.heads.frozen import Frozen
from specviz.models.heads.kinds import network_of
from specviz.models.heads.spec import Shape, Spec
from specviz.models.loading import Target, load_target
from specviz.training.drafts.distil import kept_ids
from specviz.training.drafts.own_text import Amount
from specviz.training.drafts.settings import Effort
from specviz.training.drafts.store import OwnText
from specviz.training.heads.kinds import MODULES
from specviz.training.heads.objective import Kind
from specviz.training.heads.rows import rows
from specviz.training.heads.settings import COOL_DOWN, TRIMMED_FROM
from specviz.training.heads.source import Source, source_of
from specviz.training.heads.teacher import Teacher, states_of
from specviz.training.plan import Phase, Plan
from specviz.training.precision import fast_precision
from specviz.training.progress_bars import OpensBar
from specviz.training.recognition import check_work, digest, digest_of_files
from specviz.training.target_text import at_once, target_text
from specviz.training.training_loop import Curve, Progress, follow

_PROBED = 9
"""Ids of the pass that shows whether the states of a target can be read."""
_MOST_DIFFERENT = 1e-2
"""The largest difference between the target's own logits and those of its states that rounding may cause, as a share of their range."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Attributes:
        kind: of the head.
        name: what the target was called on the command line.
        source: the target: a hub id, a folder, or a file.
        work: folder of the text and the checkpoint.
        texts, corpus: see `source_of`.
        effort: how much of everything.
        quick: whether the head is a small one too.
        device: on which the target writes and the head learns.
        dtype: of the target.
        seed: of prompts, samples and weights.
        bar: opens a progress display with a title.
    """

    kind: str
    name: str
    source: str
    work: Path
    texts: Path | None
    corpus: Path | None
    effort: Effort
    quick: bool
    device: torch.device
    dtype: torch.dtype
    seed: int
    bar: OpensBar


@dataclass(frozen=True, slots=True)
class Made:
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
    source: Source
    longest: int
    facts: dict[str, Any]


def make(request: Request) -> Made:
    """Write the text, train.

    Raises:
        PairError: the target cannot be loaded.
        TrainingError, CheckpointError, CorpusError: the message says what to do.
        KeyboardInterrupt: passed on; the same call continues where this one stopped.
    """
    kind, effort = _kind(request.kind), request.effort
    with request.bar("target") as bar:
        target = load_target(
            request.source,
            device=request.device,
            dtype=request.dtype,
            progress=lambda what, share: bar.reached(round(100 * (share or 0)), 100, what),
        )
    target.model.requires_grad_(False)
    shape = Shape.of(target.model.config, target.text.vocabulary)
    taps = kind.taps(shape.depth)
    check_states(target, taps)
    found = source_of(target, request.texts, request.corpus, effort.prompts, effort.tokens, request.seed)
    check_work(request.work, target)
    amount = Amount(effort.tokens, at_once(target, effort.at_once, effort.longest), effort.longest, seed=request.seed)
    own = target_text(target, amount, found.documents, request.work, found.unseen, request.bar)
    tokens, covered = _trimmed(own, effort.kept, shape.vocabulary)
    options = {**kind.options, **(kind.quick if request.quick else {})}
    spec = Spec(kind.name, target.card.name, digest_of(target.model), shape, taps, options)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(request.seed)
        head = network_of(spec)
    head.to(request.device)
    facts: dict[str, Any] = {
        "kind": kind.name,
        "target": target.card.name,
        "asked_target": request.name,
        "revision": target.card.revision,
        "architecture": target.card.architecture,
        "target_parameters": target.card.parameters,
        "parameters": sum(weight.numel() for weight in head.parameters()),
        "taps": list(taps),
        "options": options,
        "about": kind.about,
        "written_in": str(request.dtype).removeprefix("torch."),
        "written_on": request.device.type,
        "prompts": found.words,
        "option": found.option,
        "texts": len(own.starts),
        "tokens": own.written,
        "asked_tokens": effort.tokens,
        "epochs": effort.epochs,
        "seed": request.seed,
        "kept": shape.vocabulary if tokens is None else len(tokens),
        "vocabulary": shape.vocabulary,
        "kept_share": covered,
    }
    curve, plan, learnt = _trained(
        request, kind, target, head, own, tokens, f"{digest_of_files(target)} {spec.as_json()}"
    )
    facts |= {
        "trained_tokens": learnt,
        "training_seconds": round(curve.seconds, 1),
        "batch": plan.batch,
        "matrix_rate": plan.matrix_rate,
        "other_rate": plan.other_rate,
        "cool_down": plan.cool_down,
        "shown": {name: value for name, value in curve.points[-1].losses.items() if name in kind.shown}
        if curve.points
        else {},
    }
    del target
    gc.collect()
    return Made(head.cpu().eval(), spec, tokens, curve, found, kind.longest(options), facts)


def _kind(name: str) -> Kind:
    found: Kind = import_module(f"{__package__}.{MODULES[name]}").KINDS[name]
    return found


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


def _trained(
    request: Request, kind: Kind, target: Target, head: nn.Module, own: OwnText, tokens: Tensor | None, identity: str
) -> tuple[Curve, Plan, int]:
    """Train in place; the tokens that were read are the third value."""
    effort = request.effort
    teacher = Teacher(target.model, own, kind.taps(_depth(target)), request.seed)
    here = None if tokens is None else tokens.to(request.device)
    borrowed = Frozen.of_model(target.model, target.text.vocabulary, here)
    precision = fast_precision(request.device)
    usual = max(1, round(float(own.lengths.clamp(max=effort.context).float().mean())))
    size = max(1, min(effort.batch // usual, len(own.starts)))
    parts = rows(own, effort.context, size, f"{request.seed} own text", effort.epochs)
    plan = Plan(
        (Phase("own text", usual, 0, {}),),
        min(size, len(parts)) * usual,
        matrix_rate=kind.matrix_rate,
        other_rate=kind.other_rate,
        warm_up=effort.warm_up,
        cool_down=COOL_DOWN,
    )

    def losses(batch: Tensor) -> Mapping[str, Tensor]:
        return kind.losses(head, teacher.read(batch), borrowed)

    content = digest(own.ids, own.starts, own.top, *(() if tokens is None else (tokens,)))
    with request.bar("training") as bar:

        def report(now: Progress) -> None:
            shown = ", ".join(f"{name} {value:.3f}" for name, value in now.losses.items())
            bar.reached(now.tokens, now.total, f"{shown}, {now.rate:,.0f} tokens/s")

        curve = follow(
            plan,
            {kind.name: head},
            losses,
            [parts],
            weights=dict.fromkeys(kind.shown, 0.0),
            device=request.device,
            precision=precision,
            checkpoint=request.work / f"{kind.name}.checkpoint",
            fingerprint=f"{identity} {content} {effort.context} {effort.epochs} {request.seed} {plan} {precision}",
            compiled=False,
            report=report,
        )
    return curve, plan, curve.points[-1].tokens if curve.points else 0


def _depth(target: Target) -> int:
    found: int = target.model.config.get_text_config(decoder=True).num_hidden_layers
    return found
