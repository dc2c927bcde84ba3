"""The Lab: sweeps of real runs, and questions that each have an answer."""
