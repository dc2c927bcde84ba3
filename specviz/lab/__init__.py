"""The lab: sweeps of real runs, the store of what was measured, prices on other machines, rush hour. Charts and records need no torch."""
