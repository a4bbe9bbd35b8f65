"""Stained Glass of Sintra."""
