"""The costs of passes, as `specviz.runs.prepare` measures them, watched: measured again where other programs disturbed them.

c and v(n) are measured in three ways, each for its own question:

- `specviz.runs.prepare.costs_of`: c of one drafter and v of every draft length, once a process. Predictions, calculated runs and the cost-aware
  policy need them; the lab takes them through this module.
- `specviz.reporting.cost_curve`: a few lengths up to long ones, in sweeps, so that every figure has a spread. Reports and profiles show it.
- `specviz.runs.pass_costs`: half a second of the shortest passes, noted for the next process and corrected by timed runs. `auto` chooses
  with it, and trees get their size; no report shows it.
"""

from specviz.decoding.costs import Costs
from specviz.lab.study import Watched
from specviz.models import Pair
from specviz.runs.load_watch import CoreTime, Watchman
from specviz.runs.prepare import costs_of


def watched_costs(pair: Pair, drafter: str) -> Watched:
    """Measure the costs of a drafter's passes and of the target's; a disturbed measurement is repeated a few times.

    Where none was calm the last one stays, and its conditions say that it cannot be trusted. A run in progress on the pair cannot continue.
    """
    with Watchman(pair.target.device.type == "cpu") as watchman:
        costs = pair.costs.get(drafter, Costs())
        while watchman.may_repeat(1):
            watchman.settle()
            pair.costs.pop(drafter, None)
            with CoreTime() as time:
                costs = costs_of(pair, drafter)
            watchman.took(sum(costs.v), [time])
        return Watched(costs, watchman.conditions(1, compared=False))
