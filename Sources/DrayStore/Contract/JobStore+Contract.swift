// The store in SQLite keeps the contract of a job store. Its methods are in the folders below.

extension JobStore: JobStoring {}
