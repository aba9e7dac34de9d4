// Compares the content of an answer with its digest (RFC 9530 §2, RFC 1864).

internal import DrayCore

/// Checks a part of a file against the digest in its own answer. The digest is computed on the loop's thread. That is
/// acceptable because the next request depends on the result, and hardly any server sends such a digest. For an answer
/// without such a digest, this costs nothing.
struct ContentProof {
  private let expected: SourcedDigest
  private var digest: RunningDigest

  /// Creates the check. The result is `nil` if the answer has no such digest, or is not a part of a file.
  /// - Parameter whole: The known digests of the whole file.
  init?(_ head: ResponseHead, knowing whole: [SourcedDigest]) {
    guard let expected = head.contentDigest(knowing: whole), !expected.digest.algorithm.beginsWithLength else {
      return nil
    }
    self.expected = expected
    digest = RunningDigest([expected.digest.algorithm])
  }

  /// Adds bytes, in order.
  mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  /// The contradiction between content and digest, as a clause; `nil` if they match.
  var contradiction: String? {
    guard let found = digest.values.first, found != expected.digest else { return nil }
    return "its \(expected.source.rawValue) is \(expected.digest), but the received bytes have \(found.hex)"
  }
}
