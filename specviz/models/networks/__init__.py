"""The networks that can run a cached model: our own decoder, CUDA graphs, transformers' own modules."""
