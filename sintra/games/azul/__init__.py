"""Azul and Crystal Mosaic."""
