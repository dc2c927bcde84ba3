"""The networks that a cached model reads with: our own decoder, graphs, compiled passes, transformers' own."""
