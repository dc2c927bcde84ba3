"""The acceptance rules: which drafted tokens are accepted, given the target's probabilities. Pure functions on tensors, one idea per file."""
