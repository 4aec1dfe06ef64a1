"""The fast walker for any processor."""

include "fast_kernel.pxi"
