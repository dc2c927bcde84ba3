"""The benchmark: measured speeds beside those of transformers' own `generate`, and where the rest of the speedup goes."""
