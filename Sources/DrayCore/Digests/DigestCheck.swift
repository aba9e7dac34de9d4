// Decides which digests of a whole file are computed, and judges them (P12).

/// The known digests of a file.
public struct DigestCheck: Sendable, Equatable {
  /// The binding digests: given by the user, or found in a list that the user requested.
  public var binding: [SourcedDigest]
  /// The digests in the server's answer.
  public var offered: [SourcedDigest]

  /// Creates a check.
  public init(binding: [SourcedDigest] = [], offered: [SourcedDigest] = []) {
    (self.binding, self.offered) = (binding, offered)
  }

  /// The meaning of the computed digests.
  public enum Verdict: Sendable, Equatable {
    /// There is no digest to compare with. The doubt says why offered digests were ignored.
    case unknown(doubt: String?)
    /// The file has this digest. The doubt names an offered digest that does not match.
    case proved(SourcedDigest, doubt: String?)
    /// The file is not the expected one.
    case refuted(SourcedDigest, found: DigestValue)
  }

  /// The digests to compare, in order of precedence: all binding ones, and the best offered one.
  public var compared: [SourcedDigest] { binding + [offered.best].compactMap(\.self) }

  /// The algorithms to compute, each once.
  public var algorithms: [DigestAlgorithm] {
    compared.map(\.digest.algorithm).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the verdict on the file's digests, one for each of ``algorithms``.
  ///
  /// The user's digest takes precedence: if only the server's differs, the file is accepted and the difference is
  /// reported. Without a digest of the user, the server's decides, and a file that does not match is rejected.
  public func verdict(_ computed: [DigestValue]) -> Verdict {
    func found(_ one: SourcedDigest) -> DigestValue? { computed.first { $0.algorithm == one.digest.algorithm } }
    var proof: SourcedDigest?
    for one in binding {
      guard let value = found(one) else { continue }
      guard value == one.digest else { return .refuted(one, found: value) }
      proof = proof ?? one
    }
    guard let best = offered.best, let value = found(best) else {
      return proof.map { .proved($0, doubt: offered.contradiction) } ?? .unknown(doubt: offered.contradiction)
    }
    if value == best.digest { return .proved(proof ?? best, doubt: offered.contradiction) }
    guard let proof else { return .refuted(best, found: value) }
    return .proved(proof, doubt: "the server's \(best.source.rawValue) is \(best.digest), which is not the file's")
  }
}
