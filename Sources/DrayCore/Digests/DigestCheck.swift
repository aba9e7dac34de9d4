// Decides which digests of a whole file are computed, and what the results prove (P12).

/// The known digests of a file.
package struct DigestCheck: Sendable, Equatable {
  /// The digests that must match: given by the user, or found in a list that the user asked for.
  package var binding: [SourcedDigest]
  /// The digests in the server's answer.
  package var offered: [SourcedDigest]

  /// Creates a check.
  package init(binding: [SourcedDigest] = [], offered: [SourcedDigest] = []) {
    (self.binding, self.offered) = (binding, offered)
  }

  /// The conclusion from the computed digests.
  package enum Verdict: Sendable, Equatable {
    /// No digest to compare is known. The doubt, if any, is the reason why offered digests were ignored.
    case unknown(doubt: String?)
    /// The file has this digest. The doubt, if any, names an offered digest that does not match.
    case proved(SourcedDigest, doubt: String?)
    /// The file is not the expected one.
    case refuted(SourcedDigest, found: DigestValue)
  }

  /// The digests to compare, in order of precedence: all binding digests, then the best of the offered ones.
  package var compared: [SourcedDigest] { binding + [offered.best].compactMap(\.self) }

  /// The algorithms to compute, each once.
  package var algorithms: [DigestAlgorithm] {
    compared.map(\.digest.algorithm).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the verdict on the computed digests of the file, one for each of ``algorithms``.
  ///
  /// If a binding digest matches and only the server's digest differs, the file is accepted and the difference is
  /// reported. Without a binding digest, the server's digest decides, and a file that does not match it is rejected.
  package func verdict(_ computed: [DigestValue]) -> Verdict {
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
