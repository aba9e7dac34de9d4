// PostgreSQL's conformance to the contract of a job store.

#if Postgres

extension PostgresStore: JobStoring {}

#endif
