"""Text that is written from templates: small modules that read the data files in `data/` and fill them."""
