// The digest of what one answer carries (RFC 9530 §2, RFC 1864): computed while it comes, compared at its end.

internal import DrayCore

/// Checks a part of a file by the digest that its own answer has of it. It is computed on the loop's thread, as next to no
/// server sends one, and the verdict must be known before the next request; without one it costs nothing.
struct ContentProof {
  private let expected: SourcedDigest
  private var digest: RunningDigest

  /// Nothing, where the answer has no such digest, or is not a part.
  /// - Parameter whole: what is known of the whole file.
  init?(_ head: ResponseHead, knowing whole: [SourcedDigest]) {
    guard let expected = head.contentDigest(knowing: whole) else { return nil }
    self.expected = expected
    digest = RunningDigest([expected.digest.algorithm])
  }

  /// Adds the content of the answer, in order.
  mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  /// How all that came contradicts the digest, as a clause; `nil` if it does not.
  var contradiction: String? {
    guard let found = digest.values.first, found != expected.digest else { return nil }
    return "its \(expected.source.rawValue) is \(expected.digest), but the received bytes have \(found.hex)"
  }
}
