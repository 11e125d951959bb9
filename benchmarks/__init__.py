"""What is fast, measured: each thing beside a floor that does no more than it must, in the same run.

`make bench` runs all; `python -m benchmarks NAME ...` some of starting, importing, evaluating, sweeping,
lint, answering and updating.
"""
