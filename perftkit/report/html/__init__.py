"""One HTML file that needs no other: verdict, boards with arrows, charts and tables."""

from perftkit.report.html.divide import write_divide
from perftkit.report.html.run import HtmlRunReporter
from perftkit.report.html.walk import write_walk

__all__ = ["HtmlRunReporter", "write_divide", "write_walk"]
