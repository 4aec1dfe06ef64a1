"""Chess and nothing else: the compiled board, generator, filter and walkers."""
