"""The benchmark: our speeds compared with transformers' own `generate`, and where the rest of the speedup goes."""
