"""The parts of Benchmarks/run: servers, measuring of child processes, the peers, the cases, the table."""
