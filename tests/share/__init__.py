"""Tests of codes and positions."""
