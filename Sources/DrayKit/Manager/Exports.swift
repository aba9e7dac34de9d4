// Importing DrayKit also imports DrayCore, with jobs and requests. The store's types, such as summaries and
// results, are in DrayStore.

@_exported public import DrayCore
