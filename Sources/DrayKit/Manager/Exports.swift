// Importing DrayKit also imports DrayCore, with jobs and requests. The store's types, such as summaries, groups and
// results, are in DrayStore.

@_exported public import DrayCore
