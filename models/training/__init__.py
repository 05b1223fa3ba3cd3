"""Synthetic scenes, data sets, training and export. The only place that imports torch and ultralytics, inside functions."""
