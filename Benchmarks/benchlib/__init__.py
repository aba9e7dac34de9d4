"""What Benchmarks/run is made of: servers, means to measure child processes, the peers, the cases, the table."""
