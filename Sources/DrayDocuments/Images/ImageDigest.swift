// Digests as registries write them: `sha256:HEX`.

package import DrayCore

package enum ImageDigest {
  /// The algorithms that the image specification registers.
  private static let algorithms: [(name: String, algorithm: DigestAlgorithm)] = [
    ("sha256", .sha256), ("sha512", .sha512),
  ]

  /// `nil` for any other algorithm, a wrong number of digits, and for uppercase digits, which would be another name of
  /// the same file.
  package static func parse(_ text: some StringProtocol) -> DigestValue? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let known = algorithms.first(where: { $0.name == parts[0] }),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      parts[1].utf8.count == 2 * known.algorithm.byteCount
    else { return nil }
    return try? DigestValue.parse("\(known.algorithm.rawValue)=\(parts[1])")
  }

  /// `sha256:HEX`.
  package static func text(_ digest: DigestValue) -> String { "\(name(digest.algorithm)):\(digest.hex)" }

  /// The path in an image layout: `blobs/sha256/HEX`.
  package static func path(_ digest: DigestValue) -> String { "blobs/\(name(digest.algorithm))/\(digest.hex)" }

  /// The path in Ollama's directory of models: `blobs/sha256-HEX`.
  package static func modelPath(_ digest: DigestValue) -> String { "blobs/\(name(digest.algorithm))-\(digest.hex)" }

  private static func name(_ algorithm: DigestAlgorithm) -> String {
    algorithms.first { $0.algorithm == algorithm }?.name ?? algorithm.rawValue
  }
}
