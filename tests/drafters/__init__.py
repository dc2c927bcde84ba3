"""Claims about the drafters."""
