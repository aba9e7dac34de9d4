"""What Benchmarks/run is made of: a server, means to measure child processes, the cases, and the report."""
