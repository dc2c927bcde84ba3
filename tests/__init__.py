"""Claims about specviz and its app, and the proofs of them."""
