"""What `train draft` and `train head` do alike: check what is asked for, make it, write its folder, examine it. Torch is imported inside functions."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from specviz.errors import InputError, SpecvizError, TrainingError
from specviz.known_pairs import offered
from specviz.reporting.files import open_folder
from specviz.training.asked import check_texts, effort_of
from specviz.training.drafts.settings import Effort
from specviz.training.examine_command import examined, show_figures

if TYPE_CHECKING:
    from specviz.training.examination.rounds import Examination


class Made(Protocol):
    """What was made."""

    @property
    def facts(self) -> dict[str, Any]:
        """How."""
        ...


M = TypeVar("M", bound=Made)


@dataclass(frozen=True, slots=True)
class Making:
    """What a command asks for, checked.

    Attributes:
        args: its options.
        effort: how much of everything.
        target: its source.
        out, work: where the result goes, and where text and checkpoints are.
    """

    args: argparse.Namespace
    effort: Effort
    target: str
    out: Path
    work: Path

    @classmethod
    def of(cls, args: argparse.Namespace, usual: Effort, quick: Effort) -> "Making":
        """From the options; nothing is loaded.

        Raises:
            TrainingError: one of them cannot be used.
        """
        effort = effort_of(args, quick if args.quick else usual)
        check_texts(args.text)
        if args.own_text_prompts and not args.own_text:
            raise TrainingError("--own-text-prompts belongs to --own-text: give both, or neither.")
        out = args.out.resolve()
        work = args.work or out.parent / f"{out.name}.work"
        _check_out(out, work.resolve())
        return cls(args, effort, (offered(args.target) or (args.target, None))[0], out, work)

    def fields(self) -> dict[str, Any]:
        """What `specviz.training.making.MakingRequest` has."""
        from specviz.models.devices import pick_device
        from specviz.training.precision import own_precision
        from specviz.training.progress_bars import bar

        args, device = self.args, pick_device(self.args.device)
        return {
            "source": self.target,
            "work": self.work,
            "texts": args.text,
            "own_text": tuple(args.own_text),
            "own_tokens": args.tokens,
            "own_text_prompts": args.own_text_prompts,
            "effort": self.effort,
            "batch": args.batch,
            "device": device,
            "dtype": own_precision(args.dtype, device),
            "seed": args.seed,
            "rate": args.rate,
            "start": args.start,
            "bar": bar,
        }

    def carry_out(
        self,
        what: str,
        make: Callable[[], M],
        write: Callable[[M, Path], None],
        examination: Callable[[M, Path], "Examination"],
        chosen: Callable[[M], str],
    ) -> int:
        """Make it, write its folder, examine it and print the figures; returns the exit code.

        Args:
            what: "draft" or "head".
            examination: of what lies in the folder.
            chosen: the options that choose it.

        Raises:
            TrainingError: it could not be made, or not be examined.
        """
        from specviz.models.sources import short_name
        from specviz.training.made_folder import in_one_step, write_card

        figures: dict[str, Any] | None = None
        refused = ""
        with continued(self.work):
            made = make()
            with in_one_step(self.out, what) as partial:
                write(made, partial)
                if self.effort.prompts:
                    try:
                        figures = examined(examination(made, partial))
                    except SpecvizError as error:  # hours of training are not lost with it
                        refused = str(error)
                if figures is not None and "draft" in figures:  # not the name of the partial folder
                    figures["draft"] = short_name(str(self.out))
                write_card(partial, what, figures)
        if self.args.json:
            sys.stdout.write(json.dumps({"making": made.facts, "examination": figures}) + "\n")
        elif figures is not None:
            show_figures(what, figures)
        sys.stderr.write(f"The {what} is in {self.args.out}. Use it: {chosen(made)}\n")
        sys.stderr.write(f"What it was made from is still in {self.work}, to continue with; it can be deleted.\n")
        if refused:
            raise TrainingError(f"The {what} was not examined: {refused}")
        return 0


@contextmanager
def continued(work: Path) -> Iterator[None]:
    """After Ctrl-C, a sentence on how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command continues with what is kept in {work}.\n")
        raise


def _check_out(out: Path, work: Path) -> None:
    """Check that the result can be written: better now than after hours of training.

    Raises:
        TrainingError: the folder has no name, is not empty or contains the work folder, or nothing can be written there.
    """
    if not out.name:
        raise TrainingError(f"--out was {str(out)!r}: give the path of a new folder.")
    if work == out or out in work.parents:
        raise TrainingError(
            f"--work was {str(work)!r}, in the folder of --out: give one outside, because --out appears complete."
        )
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise TrainingError(f"{str(out)!r} exists already: choose another --out, or remove it.")
        for folder in (out.parent, work):
            open_folder(folder)
    except InputError as error:
        raise TrainingError(str(error)) from None
    except OSError as error:
        raise TrainingError(f"{str(out)!r} could not be opened ({error.strerror}): choose another --out.") from None
