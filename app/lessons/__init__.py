"""The lessons: their pages and their pictures."""
