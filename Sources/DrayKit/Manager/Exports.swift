// Importing DrayKit gives access to jobs and requests. DrayStore has the store's types: summaries, groups, results.

@_exported public import DrayCore
