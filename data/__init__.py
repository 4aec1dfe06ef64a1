"""Reference suites of perftkit, packaged as data."""
