"""The decoding core: the one loop, the rules that judge, the drafters, and what they share."""
