"""Frames to settled views of the table, and views to observations."""
