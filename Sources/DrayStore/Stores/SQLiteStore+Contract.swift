// The store in SQLite keeps the contract of a job store.

extension SQLiteStore: JobStoring {}
