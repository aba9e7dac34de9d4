// Requests to another server than that of the bytes on disk: redirects may lead elsewhere each time.

extension Ask {
  /// What to request instead if an answer with the rest comes from another server than the beginning: that its date is the
  /// same proves nothing (P16). `nil` if the answer is usable: an entity tag ties it to the version, or it is compared.
  /// - Parameter digestIsKnown: whether a digest will prove the result.
  public func elsewhere(digestIsKnown: Bool) -> Ask? {
    guard case .rest(let from, let to, .ifRange(let validator)) = self, !digestIsKnown,
      Validators(etag: validator).strongETag == nil
    else { return nil }
    // Both ends are compared: that of the file, whose length must be the same, or else all is fetched.
    guard from > 0, to == nil else { return .whole }
    let overlap = min(from, Ask.overlapLength)
    return .rest(from: from - overlap, to: nil, .overlap(overlap))
  }
}
