"""A small chess program that can be told which bug to have, to test perftkit against."""
