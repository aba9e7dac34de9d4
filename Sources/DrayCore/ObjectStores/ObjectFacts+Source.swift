// Reads which version of the source an object's metadata records.

extension ObjectFacts {
  /// Returns the source's validators that the object records; `nil` for an object that dray did not write. They may be
  /// used for requests to the recorded URL only (P16).
  public func validators(ofSource url: RequestURL) -> Validators? {
    guard metadata["dray-source"] == URLRedaction.withoutSecrets(url.string) else { return nil }
    let found = Validators(etag: metadata["dray-etag"], lastModified: metadata["dray-last-modified"], date: nil)
    return found.etag == nil && found.lastModified == nil ? nil : found
  }
}
