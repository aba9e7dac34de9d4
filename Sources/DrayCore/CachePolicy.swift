// Whether what is there already may do (S21).

/// The cache policy of a request.
public enum CachePolicy: String, Sendable, Codable, CaseIterable {
  /// Fetch only if the file has changed since it was published (`If-None-Match`, `If-Modified-Since`).
  case ifChanged
  /// Have caches on the way ask the server (`Cache-Control: no-cache`).
  case noCache
}
