// What a whole file is checked against: which digests are computed, and what follows from them (P12).

/// The digests that are known of a file.
public struct DigestCheck: Sendable, Equatable {
  /// The binding ones: given by the user, or found in a list that the user asked for.
  public var binding: [SourcedDigest]
  /// Those that the server's answer offers.
  public var offered: [SourcedDigest]

  /// Creates the question.
  public init(binding: [SourcedDigest] = [], offered: [SourcedDigest] = []) {
    (self.binding, self.offered) = (binding, offered)
  }

  /// What computed digests say.
  public enum Verdict: Sendable, Equatable {
    /// There is nothing to compare with. The doubt says why the offered digests were ignored.
    case unknown(doubt: String?)
    /// The file has this digest. The doubt names a digest that was offered but does not match.
    case proved(SourcedDigest, doubt: String?)
    /// The file is not the expected one.
    case refuted(SourcedDigest, found: DigestValue)
  }

  /// The digests that are compared, those that decide first: all that are binding, and the best that is offered.
  public var compared: [SourcedDigest] { binding + [offered.best].compactMap(\.self) }

  /// The algorithms that are computed, each once.
  public var algorithms: [DigestAlgorithm] {
    compared.map(\.digest.algorithm).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Draws the conclusion from the file's digests, one for each of ``algorithms``.
  ///
  /// The user's digest decides; a different one of the server is then reported, but the file is the one that was
  /// wanted. Without the user's digest the server's decides, and a file that does not match is rejected.
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
