"""Makes a draft for a target: text, size, training, folder. Every step is saved, so that the same command continues where it stopped."""

import gc
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.models.loading import Target
from specviz.training.drafts import documents, sizes
from specviz.training.drafts.distil import AGREEMENT, ALPHA, LOSS, distillation, kept_ids, rows, share_written
from specviz.training.drafts.reread import with_probabilities
from specviz.training.drafts.settings import COOL_DOWN, MATRIX_RATE, OTHER_RATE, SIZES
from specviz.training.drafts.store import OwnText
from specviz.training.drafts.student import Size, begun, student
from specviz.training.duration import TIMED, epochs_in
from specviz.training.made_folder import facts_of, points_of
from specviz.training.making import MakingRequest, facts_of_training
from specviz.training.plan import Phase, TrainingPlan
from specviz.training.precision import fast_precision
from specviz.training.recognition import check_work, digest, digest_of_files, once
from specviz.training.training_loop import Curve, CurvePoint, follow, now_on


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRequest(MakingRequest):
    """What is asked for, of a draft.

    Attributes:
        size: of the draft; None chooses it from measured costs.
        unseen: prompts that the training may not see.
    """

    size: Size | None
    unseen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MadeDraft:
    """A trained draft, and all that its folder and card show.

    Attributes:
        model: the draft, in float32 on the CPU.
        kept: the ids that it may write, ascending.
        curve: of its training.
        target: the target's folder, tokenizer and end ids are in here; its weights are not.
        held_out: texts of the given folder that no training saw.
        facts: plain values that describe how it was made.
    """

    model: LlamaForCausalLM
    kept: Tensor
    curve: Curve
    target: "Described"
    held_out: tuple[str, ...]
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Described:
    """What is left of a target when its weights are dropped."""

    folder: Path
    name: str
    revision: str
    ends: frozenset[int]
    has_template: bool


def make(request: DraftRequest) -> MadeDraft:
    """Write the text, choose the size, train.

    Raises:
        PairError: the target cannot be loaded, or the draft that is trained further does not fit.
        TrainingError, CheckpointError: the message says what to do.
        KeyboardInterrupt: passed on; the same call continues where this one stopped.
    """
    found = documents.read(request.texts) if request.texts is not None else None
    target = request.target()
    start, earlier = None, list[CurvePoint]()
    if request.start is not None:
        start, earlier = begun(request.start, target), points_of(request.start, "draft")
    identity = digest_of_files(target)
    check_work(request.work, target)
    effort = request.effort
    own = request.text(target, found, request.unseen)
    if request.own_text:
        own = _with_probabilities(request, target, own)
    considered = list[dict[str, Any]]()
    if start is not None:
        model, size, kept = start
        covered = share_written(own, kept)
        identity += f" {digest(*model.state_dict().values())}"
    else:
        kept, covered = kept_ids(own, effort.kept)
        size, considered = _size(request, target, len(kept), identity)
        counts = torch.bincount(own.ids.long(), minlength=target.text.vocabulary)
        model = student(target.model, size, counts, request.seed, ends=target.ends, positions=_positions(target))
    described = Described(target.folder, target.card.name, target.card.revision, target.ends, target.text.has_template)
    facts: dict[str, Any] = {
        **request.facts(target, own, "questions of its own" if found is None else "beginnings of given texts"),
        "tokens_with_prompts": len(own.ids),
        "begun_target": "" if request.start is None else facts_of(request.start)["target"],
        "begun_tokens": earlier[-1].tokens if earlier else 0,
        "size": str(size),
        "size_considered": considered,
        "kept": len(kept),
        "vocabulary": model.config.vocab_size,
        "kept_share": covered,
        "weights_of_a_pass": size.weights(len(kept)),
    }
    del target
    gc.collect()
    model.to(request.device)
    curve, plan = _trained(request, model, own, kept, f"{identity} {size}")
    facts |= facts_of_training(curve, plan)
    return MadeDraft(model.cpu().eval(), kept, curve.after(earlier), described, found.held_out if found else (), facts)


def _with_probabilities(request: DraftRequest, target: Target, own: OwnText) -> OwnText:
    """What the target wrote before, as much as was asked for, read again for its probabilities."""
    if request.own_tokens:
        own = own.some(request.own_tokens, request.seed)
    with request.bar("the target reads") as bar:
        return with_probabilities(
            target, own, request.effort.context, lambda done, most: bar.reached(done, most, "texts")
        )


def _size(request: DraftRequest, target: Target, kept: int, identity: str) -> tuple[Size, list[dict[str, Any]]]:
    """The size that was asked for, or the best candidate, which is measured once and remembered."""
    if request.size is not None:
        return request.size, []

    def measured() -> list[dict[str, Any]]:
        with request.bar("choosing the size") as bar:
            found = sizes.candidates(target, SIZES, kept, bar.reached)
        return [{**asdict(each), "size": str(each.size)} for each in found]

    found = once(request.work / "size.json", f"{identity} {kept} {request.device} {request.dtype}", measured)
    return Size.of(found[0]["size"]), found


def _trained(
    request: DraftRequest, model: LlamaForCausalLM, own: OwnText, kept: Tensor, identity: str
) -> tuple[Curve, TrainingPlan]:
    effort = request.effort
    objective = distillation(model, own, kept)
    precision = fast_precision(request.device)
    epochs = effort.epochs
    plan = TrainingPlan(
        (Phase(effort.context),),
        effort.batch,
        matrix_rate=MATRIX_RATE * request.rate,
        other_rate=OTHER_RATE * request.rate,
        warm_up=effort.warm_up,
        cool_down=COOL_DOWN,
    )
    weights = {ALPHA: 0.0, AGREEMENT: 0.0}
    content = digest(own.ids, own.top_ids, own.top_logs, kept)
    base = f"{identity} {content} {effort.context} {plan.batch} {request.seed}"
    if effort.seconds is not None:
        epochs = once(
            request.work / "epochs.json",
            f"{base} {effort.seconds}",
            lambda: _timed(request, model, own, kept, plan),
        )
    parts = rows(own, effort.context, f"{request.seed} own text", epochs)
    size = min(len(parts), max(1, plan.batch // effort.context))
    plan = replace(plan, batch=size * effort.context)
    with request.bar("training") as bar:
        curve = follow(
            plan,
            {"draft": model},
            objective,
            [parts],
            weights=weights,
            device=request.device,
            precision=precision,
            checkpoint=request.work / ("training.checkpoint" if request.start is None else "continued.checkpoint"),
            fingerprint=f"{base} {epochs} {plan} {precision}",
            compiled=False,
            report=now_on(bar),
        )
    return curve, plan


def _timed(request: DraftRequest, model: LlamaForCausalLM, own: OwnText, kept: Tensor, plan: TrainingPlan) -> float:
    """How often the text can be read in the seconds that were asked for, from a few timed steps of a copy."""
    objective, context = distillation(deepcopy(model), own, kept), request.effort.context
    half = fast_precision(request.device) == torch.bfloat16

    def learn(batch: Tensor) -> Tensor:
        with torch.autocast(request.device.type, torch.bfloat16, enabled=half):
            return objective(batch.to(request.device).long())[LOSS]

    few = rows(own, context, "timing", (TIMED + 1) * plan.batch / len(own.ids))
    batches = torch.split(few, max(1, plan.batch // context))
    return epochs_in(request.effort.seconds or 0.0, learn, batches, len(own.ids) / context)


def _positions(target: Target) -> int:
    found = getattr(target.model.config.get_text_config(decoder=True), "max_position_embeddings", None)
    return int(found) if found and found > 0 else 2048
