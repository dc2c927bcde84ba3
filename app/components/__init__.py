"""Building blocks of the screens: components with scripts of their own, timed parts, and safe Markdown."""
