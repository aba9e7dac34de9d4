// Importing DrayKit gives access to jobs, requests and records without importing the modules below.

@_exported public import DrayCore
@_exported public import DrayStore
