"""The rules: what becomes of a draft, given the target's probabilities. Pure functions on tensors, one idea a file."""

from specviz.verify.chain import judge_chain, residual
from specviz.verify.choice import judge, rule_for
from specviz.verify.judgement import Judgement, Rule, leftover
from specviz.verify.lossy import lenient, typical
from specviz.verify.tree import EXACT, Criterion, judge_tree

__all__ = [
    "EXACT",
    "Criterion",
    "Judgement",
    "Rule",
    "judge",
    "judge_chain",
    "judge_tree",
    "leftover",
    "lenient",
    "residual",
    "rule_for",
    "typical",
]
