"""What screens are built of: components with scripts of their own, timed parts, and safe Markdown."""
