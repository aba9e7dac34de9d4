// Reads from an object's metadata which version of the source the object contains.

extension ObjectFacts {
  /// Returns the source's validators in the object's metadata; `nil` for an object that dray did not write. These
  /// validators may be used only for requests to the recorded URL (P16).
  package func validators(ofSource url: RequestURL) -> Validators? {
    guard metadata["dray-source"] == URLRedaction.withoutSecrets(url.string) else { return nil }
    let found = Validators(etag: metadata["dray-etag"], lastModified: metadata["dray-last-modified"], date: nil)
    return found.etag == nil && found.lastModified == nil ? nil : found
  }
}
