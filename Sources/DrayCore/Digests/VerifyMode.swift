/// The digests with which a file is verified.
public enum VerifyMode: String, Sendable, Codable, CaseIterable {
  /// Only a digest that the user gave.
  case none
  /// In addition, the digests in the server's answer.
  case offered
  /// In addition, lists of digests beside the file on the server.
  case auto
  /// Like ``auto``, but a file without any digest is rejected.
  case require

  /// Whether to look for lists beside the file.
  public var looksBeside: Bool { self == .auto || self == .require }

  /// Whether a file whose digest is in no list can be rejected before its bytes arrive: a digest is required, the answer
  /// offers none, and its trailers cannot bring one.
  /// - Parameter known: The digests that earlier answers offered for the bytes on disk.
  package func isUnprovable(by head: ResponseHead, known: [SourcedDigest]) -> Bool {
    self == .require && (known + head.offeredDigests).best == nil && !head.mayHaveTrailers
  }

  /// A stricter mode has a greater number.
  package var strictness: Int {
    switch self {
    case .none: 0
    case .offered: 1
    case .auto: 2
    case .require: 3
    }
  }
}
