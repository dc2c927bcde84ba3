"""The acceptance rules: which drafted tokens are accepted, given the target's probabilities. Pure functions on tensors, one idea per file."""

from specviz.decoding.judge.block import judge_block
from specviz.decoding.judge.chain import judge_chain, residual
from specviz.decoding.judge.choice import judge, rule_for
from specviz.decoding.judge.judgement import Judgement, Rule, leftover
from specviz.decoding.judge.lossy import lenient, typical
from specviz.decoding.judge.tree import EXACT, Criterion, judge_tree

__all__ = [
    "EXACT",
    "Criterion",
    "Judgement",
    "Rule",
    "judge",
    "judge_block",
    "judge_chain",
    "judge_tree",
    "leftover",
    "lenient",
    "residual",
    "rule_for",
    "typical",
]
