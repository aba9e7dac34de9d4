// The names of part files: hidden, or for all to see.

public import struct FoundationEssentials.UUID

/// How the part files of jobs are named.
public enum PartNaming: String, Sendable, Codable, CaseIterable {
  /// `.UUID.part`
  case hidden
  /// `NAME.UUID.part`
  case visible
}

/// The names of part files.
///
/// What a visible one begins with is fixed together with the job, so that nothing is renamed when the server names the file, and
/// whoever knows the job knows its part file, whatever came in between: the user's name for the file, or else that in the URL.
public enum PartName {
  /// Bytes of a name.
  private static let limit = 255
  private static let suffix = ".part"
  private static let uuidLength = 36

  /// The name for a UUID: `.UUID.part`, with a stem `STEM.UUID.part`, always one component of at most 255 bytes.
  public static func text(_ uuid: String, stem: String?) -> String {
    let end = ".\(uuid)\(suffix)"
    return (stem.flatMap { FileName.safe($0, limit: limit - end.utf8.count) } ?? "") + end
  }

  /// The UUID in a name of either form; `nil` for other names.
  public static func uuid(of name: String) -> UUID? {
    let bytes = name.utf8
    guard name.hasSuffix(suffix), bytes.count >= 1 + uuidLength + suffix.utf8.count else { return nil }
    let text = String(decoding: bytes.dropLast(suffix.utf8.count).suffix(uuidLength), as: UTF8.self)
    // As dray writes it: in capitals, after a dot.
    return UUID(uuidString: text).flatMap { name.hasSuffix(".\($0.uuidString)\(suffix)") ? $0 : nil }
  }

  /// Whether a name of a part file is the hidden one, which no other program would choose.
  public static func isHidden(_ name: String) -> Bool {
    uuid(of: name).map { text($0.uuidString, stem: nil) == name } ?? false
  }
}
