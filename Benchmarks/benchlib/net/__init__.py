"""What Benchmarks/net is made of: namespaces and the line between them, the server, what is fetched, the table."""
