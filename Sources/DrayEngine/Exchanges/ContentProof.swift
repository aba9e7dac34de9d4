// The digest of an answer's content (RFC 9530 §2, RFC 1864): computed during the transfer, compared at the end.

internal import DrayCore

/// Checks a part of a file against the digest in its own answer. Computed on the loop's thread, because the next
/// request needs the result, and hardly any server sends such a digest. Without a digest there is no cost.
struct ContentProof {
  private let expected: SourcedDigest
  private var digest: RunningDigest

  /// `nil` if the answer has no such digest, or is not a part.
  /// - Parameter whole: The known digests of the whole file.
  init?(_ head: ResponseHead, knowing whole: [SourcedDigest]) {
    guard let expected = head.contentDigest(knowing: whole) else { return nil }
    self.expected = expected
    digest = RunningDigest([expected.digest.algorithm])
  }

  /// In order.
  mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  /// The contradiction between the content and the digest, as a clause; `nil` if they match.
  var contradiction: String? {
    guard let found = digest.values.first, found != expected.digest else { return nil }
    return "its \(expected.source.rawValue) is \(expected.digest), but the received bytes have \(found.hex)"
  }
}
