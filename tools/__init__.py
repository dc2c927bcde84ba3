"""Programs that measure or look at specviz on a machine: no part of the product, and no tests. README.md lists them."""
