"""Measuring: who counts what, in turns, and how fast; every count is compared as well."""
