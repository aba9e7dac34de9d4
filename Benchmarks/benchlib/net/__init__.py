"""The parts of Benchmarks/net: namespaces and the line between them, the server, the work, the table."""
