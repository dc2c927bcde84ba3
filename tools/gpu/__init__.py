"""Checks and measurements of the engine on a GPU with synthetic pairs: no network, no weights, no tokenizer.

Run them with `python -m tools.gpu`.
"""
