// Whoever imports DrayKit sees jobs, requests and records without importing the rooms below.

@_exported public import DrayCore
@_exported public import DrayStore
