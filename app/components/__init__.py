"""Building blocks of the screens: components with scripts of their own, timed parts, buttons that save, and safe Markdown."""
