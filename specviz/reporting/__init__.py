"""Code that bench and compare share: figures with their spread, files, Markdown rows, ready-made prompts."""
