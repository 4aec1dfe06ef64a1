"""That this file is here puts the folder on the import path, so that tests can import `oracle`."""
