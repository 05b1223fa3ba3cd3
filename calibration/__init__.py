"""Pixels to table millimetres and back."""
