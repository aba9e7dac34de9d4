// SQLite's conformance to the contract of a job store.

extension SQLiteStore: JobStoring {}
