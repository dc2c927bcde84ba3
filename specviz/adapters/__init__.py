"""Other people's decoders, recorded as our traces."""
