"""What a GPU makes of the engine, on synthetic pairs; no network, no weights, no tokenizer. `python -m specviz.bench.gpu` does it."""
