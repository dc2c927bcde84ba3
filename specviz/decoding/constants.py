"""Constants of the acceptance rules, without torch: the engine computes with them and the page shows them."""

EPSILON = 0.09
DELTA = 0.3  # of the typical rule, p(x) > min(ε, δ·exp(-H)), as in Medusa's released code
