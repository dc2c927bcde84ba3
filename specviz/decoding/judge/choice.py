"""Which rule judges a draft."""

from functools import partial

from torch import Tensor

from specviz.decoding.judge.block import judge_block
from specviz.decoding.judge.chain import judge_chain
from specviz.decoding.judge.judgement import Judgement, Rule
from specviz.decoding.judge.tree import judge_tree, lenient
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


def judge(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """The exact rule for any draft: a chain is judged in one vectorised step, a tree node by node."""
    return judge_chain(draft, target, draws) if draft.is_chain else judge_tree(draft, target, draws)


def rule_for(settings: Settings) -> Rule:
    """The rule of these settings. The lenient one judges chains and trees alike, node by node; "block" judges chains only."""
    rules: dict[str, Rule] = {
        "exact": judge,
        "block": judge_block,
        "lenient": partial(judge_tree, criterion=lenient(settings.lenience)),
    }
    return rules[settings.rule]
