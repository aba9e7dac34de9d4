// Importing DrayKit gives access to jobs and requests. What a job store shows (summaries, groups, results) is in DrayStore.

@_exported public import DrayCore
