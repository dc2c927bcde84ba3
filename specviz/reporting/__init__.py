"""What the commands, the page and the site share: files, the terminal, ready-made prompts, the player as a page."""
