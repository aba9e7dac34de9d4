// PostgreSQL's conformance to the contract of a job store.

extension PostgresStore: JobStoring {}
