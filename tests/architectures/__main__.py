"""`python -m tests.architectures`: examine every row of the matrix, print a table, and fail where something is not as expected."""

import argparse
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from tests.architectures.examination import FULL, QUICK, Extent, Result, examined
from tests.architectures.expectations import SAVED, missing, unexpected
from tests.helpers.architectures import ARCHITECTURES


def main() -> int:
    """Print one line for each row, every surprise, and the count."""
    parser = argparse.ArgumentParser(prog="python -m tests.architectures", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="names of rows, all by default")
    parser.add_argument("--quick", action="store_true", help="as few tokens as in `make test`")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    unknown = [name for name in given.rows if name not in ARCHITECTURES]
    if unknown:
        parser.error(f"no row is called {', '.join(unknown)}: choose from {', '.join(ARCHITECTURES)}")
    names = given.rows or list(ARCHITECTURES)
    extent = QUICK if given.quick else FULL
    results: dict[str, Result] = {}
    surprises: list[str] = []
    began = perf_counter()
    with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn"), initializer=_quiet) as pool:
        waiting = {name: pool.submit(_examined, name, extent) for name in names}
        for name, future in waiting.items():
            try:
                results[name] = future.result()
            except Exception as error:  # noqa: BLE001  # a row that cannot be examined is a surprise; the others go on
                surprises.append(name)
                _print(f"! {name:22} {type(error).__name__}: {' '.join(str(error).split())[:200]}")
                continue
            found = unexpected(name, results[name])
            surprises += [name] if found else []
            _print("\n".join([_line(name, results[name], bool(found)), *(f"!     {one}" for one in found)]))
    equal = [name for name, result in results.items() if result.equal]
    refused = [name for name, result in results.items() if len(result.refused) == len(extent.drafters)]
    lacking = () if given.rows else missing(equal)
    classes = {ARCHITECTURES[name].class_name for name in equal}
    _print(
        f"\n{len(names)} rows in {perf_counter() - began:.0f} s: {len(equal)} equal with all drafters "
        f"({len(classes)} classes, {_of_kind(equal, 'HYBRID')} of them rows with recurrent layers and {_of_kind(equal, 'WINDOWED')} "
        f"with windows), {len(refused)} refused before the run, {len(names) - len(equal) - len(refused)} others."
    )
    if surprises:
        _print(f"Not as expected, marked with ! above: {', '.join(surprises)}.")
    for one in lacking:
        _print(f"Not as expected: {one}.")
    return 1 if surprises or lacking else 0


def _examined(name: str, extent: Extent) -> Result:
    if name not in SAVED:
        return examined(name, extent)
    with tempfile.TemporaryDirectory() as folder:
        return examined(name, extent, Path(folder))


def _line(name: str, result: Result, surprising: bool) -> str:
    row = ARCHITECTURES[name]
    state = "equal" if result.equal else "wrong" if result.faults else f"refused: {', '.join(result.refused)}"
    shares = " ".join(f"{drafter} {share:.2f}" for drafter, share in result.accepted.items())
    mark = "!" if surprising else " "
    return f"{mark} {name:22} {row.class_name:36} {row.kind.name.lower():10} {state:8} {shares}"


def _of_kind(names: list[str], kind: str) -> int:
    return sum(ARCHITECTURES[name].kind.name == kind for name in names)


def _quiet() -> None:
    import torch
    import transformers

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
