"""That this file is here puts the folder on the import path, so that tests can import `oracle`."""

import signal

pytest_plugins = ["pytester"]  # for tests/plugin; pytest wants it in the topmost conftest.py

# A shell that runs the tests in the background has Ctrl-C ignored, nohup the end of the terminal,
# and what the tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
