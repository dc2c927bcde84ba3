"""The lessons: their pages, their pictures, and the card of a first visit."""
