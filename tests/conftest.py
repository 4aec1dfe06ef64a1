"""That this file is here puts the folder on the import path, so that tests can import `oracle`."""

import signal

# A shell that runs the tests in the background has Ctrl-C ignored, and what the tests start would
# inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
