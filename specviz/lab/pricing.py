"""A run of here as if it had been made on another machine: the same rounds, priced with that machine's profile. Standard library only."""

from dataclasses import dataclass, replace

from specviz.decoding.drafters import registry
from specviz.errors import ProfileError
from specviz.lab.profile import Profile
from specviz.trace.metrics import speedup
from specviz.trace.records import Prefill, Round, Trace


@dataclass(frozen=True, slots=True)
class Priced:
    """A run with other times; the label belongs beside every figure of it.

    Attributes:
        label: "priced with the profile of ...".
        speculative, plain: the runs, with the label in the place of the device and among the notes.
        speedup: what the prices give; `measured` is what was measured here.
    """

    label: str
    speculative: Trace
    plain: Trace
    speedup: float
    measured: float


def reprice(speculative: Trace, plain: Trace, profile: Profile) -> Priced:
    """The same rounds at another machine's costs: n tokens drafted cost n · c, and the pass that checks them v(n + 1).

    Raises:
        ProfileError: the profile is of other models or has no cost of this drafter, or the rounds are of a tree.
    """
    drafter = speculative.card.drafter.name
    described = registry.descriptions().get(drafter)
    if described is None or described.shape != "chain":
        raise ProfileError(
            f"The drafter {drafter!r} drafts no chain, so that its passes cannot be priced: choose another run."
        )
    c = profile.c_of(drafter)
    if not _same_models(speculative, profile):
        raise ProfileError(
            f"The profile of {profile.name} was measured with {' and '.join(profile.models):.120}, and this run used "
            f"{speculative.card.target.name}: choose a profile of the same models."
        )
    made, alone = _priced(speculative, profile, c), _priced(plain, profile, 0.0)
    return Priced(profile.label, made, alone, speedup(alone, made), speedup(plain, speculative))


def _same_models(run: Trace, profile: Profile) -> bool:
    target, draft = run.card.target.name, run.card.draft.name if run.card.draft else None
    return profile.models[:1] == (target,) and (draft is None or draft in profile.models[1:])


def _priced(trace: Trace, profile: Profile, c: float) -> Trace:
    pass_s, clock = profile.pass_s, 0.0
    rounds: list[Round] = []
    for round_ in trace.rounds:
        drafted = len(round_.drafted)
        draft_s, verify_s = drafted * c * pass_s, profile.v_at(drafted + 1) * pass_s
        ended = clock + draft_s + verify_s
        rounds.append(replace(round_, began_s=clock, draft_s=draft_s, verify_s=verify_s, ended_s=ended))
        clock = ended
    card = replace(trace.card, device=profile.label, notes=(*trace.card.notes, f"{profile.label.capitalize()}."))
    return replace(trace, card=card, rounds=tuple(rounds), prefill=Prefill())
