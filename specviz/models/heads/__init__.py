"""Trained heads: small networks that draft from what the target computed, and borrow its embedding and its output layer."""
