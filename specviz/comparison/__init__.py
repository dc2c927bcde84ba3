"""A comparison of settings: which runs it has, and what they show. The page and `specviz compare` share it."""
