"""Makes a draft for a target: text, size, training, folder. Every step is saved, so that the same command continues where it stopped."""

import gc
import time
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.models.heads.folder import digest_of
from specviz.models.loading import Target, load_target
from specviz.training.drafts import documents, sizes
from specviz.training.drafts.distil import AGREEMENT, ALPHA, distillation, kept_ids, rows
from specviz.training.drafts.own_text import Amount
from specviz.training.drafts.reread import with_probabilities
from specviz.training.drafts.settings import COOL_DOWN, MATRIX_RATE, OTHER_RATE, SIZES, Effort
from specviz.training.drafts.store import OwnText
from specviz.training.drafts.student import Size, student
from specviz.training.plan import Phase, TrainingPlan
from specviz.training.precision import fast_precision
from specviz.training.progress_bars import OpensBar
from specviz.training.recognition import check_work, digest, digest_of_files, once
from specviz.training.target_text import at_once, saved_text, target_text
from specviz.training.training_loop import Curve, TrainingProgress, follow

_TIMED_STEPS = 6


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """What is asked for.

    Attributes:
        source: the target: a hub id, a folder, or a file.
        work: folder of the text and the checkpoints.
        texts: folder of texts to continue; None if the target writes its own questions.
        own_text, own_tokens, own_text_prompts: as `heads.making.HeadRequest` has them.
        size: of the draft; None chooses it from measured costs.
        effort: how much of everything.
        batch: tokens of a step, where they were asked for.
        device: on which the target writes and the draft learns.
        dtype: in which the target writes.
        seed: of questions, samples and weights.
        unseen: prompts that the training may not see.
        bar: opens a progress display with a title.
    """

    source: str
    work: Path
    texts: Path | None
    own_text: tuple[Path, ...]
    own_tokens: int | None
    own_text_prompts: Path | None
    size: Size | None
    effort: Effort
    batch: int | None
    device: torch.device
    dtype: torch.dtype
    seed: int
    unseen: tuple[str, ...]
    bar: OpensBar


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
        PairError: the target cannot be loaded.
        TrainingError, CheckpointError: the message says what to do.
        KeyboardInterrupt: passed on; the same call continues where this one stopped.
    """
    found = documents.read(request.texts) if request.texts is not None else None
    with request.bar("target") as bar:
        target = load_target(
            request.source,
            device=request.device,
            dtype=request.dtype,
            progress=lambda what, share: bar.reached(round(100 * (share or 0)), 100, what),
        )
    identity = digest_of_files(target)
    check_work(request.work, target)
    effort = request.effort
    own = _read_again(request, target) if request.own_text else _written(request, target, found)
    kept, covered = kept_ids(own, effort.kept)
    size, considered = _size(request, target, len(kept), identity)
    counts = torch.bincount(own.ids.long(), minlength=target.text.vocabulary)
    positions = _positions(target)
    model = student(target.model, size, counts, request.seed, ends=target.ends, positions=positions)
    described = Described(target.folder, target.card.name, target.card.revision, target.ends, target.text.has_template)
    facts: dict[str, Any] = {
        "target": target.card.name,
        "revision": target.card.revision,
        "architecture": target.card.architecture,
        "target_parameters": target.card.parameters,
        "written_in": str(request.dtype).removeprefix("torch."),
        "written_on": request.device.type,
        "prompts": own.prompts_in_words or ("questions of its own" if found is None else "beginnings of given texts"),
        "texts": len(own.starts),
        "tokens": own.written,
        "asked_tokens": effort.tokens,
        "asked_batch": request.batch,
        "epochs": effort.epochs,
        "own_text": " ".join(path.name for path in request.own_text),
        "own_tokens": request.own_tokens if request.own_text else None,
        "own_text_prompts": request.own_text_prompts.name if request.own_text_prompts else "",
        "tokens_with_prompts": len(own.ids),
        "seed": request.seed,
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
    facts |= {
        "trained_tokens": curve.points[-1].tokens if curve.points else 0,
        "training_seconds": round(curve.seconds, 1),
        "batch": plan.batch,
        "matrix_rate": plan.matrix_rate,
        "other_rate": plan.other_rate,
        "cool_down": plan.cool_down,
    }
    return MadeDraft(model.cpu().eval(), kept, curve, described, found.held_out if found else (), facts)


def _written(request: DraftRequest, target: Target, found: documents.Documents | None) -> OwnText:
    """What the target writes now."""
    effort = request.effort
    amount = Amount(effort.tokens, at_once(target, effort.at_once, effort.longest), effort.longest, seed=request.seed)
    return target_text(target, amount, found, request.work, request.unseen, request.bar)


def _read_again(request: DraftRequest, target: Target) -> OwnText:
    """What the target wrote before, with its probabilities."""
    weights, prompts = digest_of(target.model), request.own_text_prompts
    own = saved_text(target, request.own_text, prompts, weights, request.unseen)
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
        (Phase("own text", effort.context, 0, {}),),
        effort.batch,
        matrix_rate=MATRIX_RATE,
        other_rate=OTHER_RATE,
        warm_up=effort.warm_up,
        cool_down=COOL_DOWN,
    )
    weights = {ALPHA: 0.0, AGREEMENT: 0.0}
    content = digest(own.ids, own.top_ids, own.top_logs, kept)
    base = f"{identity} {content} {effort.context} {plan.batch} {request.seed}"
    if effort.seconds is not None:
        few = rows(own, effort.context, "timing", _TIMED_STEPS * plan.batch / len(own.ids))
        epochs = once(
            request.work / "epochs.json",
            f"{base} {effort.seconds}",
            lambda: _epochs_in(effort.seconds or 0.0, model, own, kept, few, plan, request.device, precision),
        )
    parts = rows(own, effort.context, f"{request.seed} own text", epochs)
    size = min(len(parts), max(1, plan.batch // effort.context))
    plan = replace(plan, batch=size * effort.context)
    with request.bar("training") as bar:

        def report(now: TrainingProgress) -> None:
            shown = ", ".join(f"{name} {value:.3f}" for name, value in now.losses.items())
            bar.reached(now.tokens, now.total, f"{shown}, {now.rate:,.0f} tokens/s")

        curve = follow(
            plan,
            {"draft": model},
            objective,
            [parts],
            weights=weights,
            device=request.device,
            precision=precision,
            checkpoint=request.work / "training.checkpoint",
            fingerprint=f"{base} {epochs} {plan} {precision}",
            compiled=False,
            report=report,
        )
    return curve, plan


def _epochs_in(
    seconds: float,
    model: LlamaForCausalLM,
    own: OwnText,
    kept: Tensor,
    few: Tensor,
    plan: TrainingPlan,
    device: torch.device,
    precision: torch.dtype,
) -> float:
    """How often the text can be read in so many seconds, from a few timed steps of a copy."""
    copied = deepcopy(model)
    objective = distillation(copied, own, kept)
    times = []
    size = min(len(few), max(1, plan.batch // plan.phases[0].context))
    for start in range(0, len(few) - size + 1, size):
        batch = few[start : start + size]
        began = time.monotonic()
        with torch.autocast(device.type, torch.bfloat16, enabled=precision == torch.bfloat16):
            loss = objective(batch.to(device).long())["distillation"]
        loss.backward()  # type: ignore[no-untyped-call]
        loss.item()
        times.append((time.monotonic() - began) / batch[:, 1:].numel())
    a_token = sorted(times)[len(times) // 2] * 1.15  # the optimiser's own time
    return seconds / a_token / len(own.ids)


def _positions(target: Target) -> int:
    found = getattr(target.model.config.get_text_config(decoder=True), "max_position_embeddings", None)
    return int(found) if found and found > 0 else 2048
