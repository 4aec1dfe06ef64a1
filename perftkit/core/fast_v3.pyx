"""The fast walker for processors of the level x86-64-v3 (BMI2, POPCNT, AVX2)."""

include "fast_kernel.pxi"
