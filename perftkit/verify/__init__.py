"""The flow of a run: from rows of a suite to events, differences, hints and a verdict."""
