package import struct FoundationEssentials.UUID

/// Whether names of part files are hidden or visible.
package enum PartNaming: String, Sendable, Codable, CaseIterable {
  /// `.UUID.part`
  case hidden
  /// `NAME.UUID.part`
  case visible
}

/// The names of part files.
///
/// A visible name begins with the file name that the user gave, or else with the name in the URL. This beginning is
/// fixed when the job is created: the server may name the file later, but the part file keeps its name, so that it can
/// always be found from the job.
package enum PartName {
  /// The maximum length of a name in bytes.
  private static let limit = 255
  private static let suffix = ".part"
  private static let copyStem = ".copy"
  private static let uuidLength = 36

  /// Returns the name for a UUID: `.UUID.part`, or `STEM.UUID.part` with a stem. A generation other than the first adds
  /// its number before the UUID: `.0000002A.UUID.part`. The name is one component of at most 255 bytes.
  package static func text(_ uuid: String, stem: String?, generation: UInt32 = 0) -> String {
    let end = (generation == 0 ? "" : ".\(digits(generation))") + ".\(uuid)\(suffix)"
    return (stem.flatMap { FileName.safe($0, limit: limit - end.utf8.count) } ?? "") + end
  }

  /// Returns the number of a generation in eight hexadecimal digits.
  private static func digits(_ generation: UInt32) -> String {
    let text = String(generation, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }

  /// Returns the generation in a name; 0 if the name has none. A stem that looks like a generation counts as one.
  private static func generation(of name: String) -> UInt32 {
    let bytes = name.utf8.dropLast(1 + uuidLength + suffix.utf8.count).suffix(9)
    guard bytes.count == 9, bytes.first == UInt8(ascii: ".") else { return 0 }
    return UInt32(String(decoding: bytes.dropFirst(), as: UTF8.self), radix: 16) ?? 0
  }

  /// Whether a visible name can contain only the beginning of the file's name, because the file's name is too long.
  package static func cuts(_ stem: String) -> Bool {
    stem.utf8.count > limit - uuidLength - suffix.utf8.count - 1
  }

  /// Returns the name of a part file while it is copied to the file system of its target. No attempt continues such a
  /// file, because a power cut may have left it incomplete.
  package static func copy(of name: String) -> String {
    guard let uuid = uuid(of: name) else { return ".copy" + name }
    return copyStem + text(uuid.uuidString, stem: nil, generation: generation(of: name))
  }

  /// Returns the UUID in a name of either form; `nil` for any other name.
  package static func uuid(of name: String) -> UUID? {
    let bytes = name.utf8
    guard name.hasSuffix(suffix), bytes.count >= 1 + uuidLength + suffix.utf8.count else { return nil }
    let text = String(decoding: bytes.dropLast(suffix.utf8.count).suffix(uuidLength), as: UTF8.self)
    // Only dray's own spelling counts: capital letters, after a dot.
    return UUID(uuidString: text).flatMap { name.hasSuffix(".\($0.uuidString)\(suffix)") ? $0 : nil }
  }

  /// Whether a name is that of a hidden part file, which no other program would choose.
  package static func isHidden(_ name: String) -> Bool {
    uuid(of: name).map {
      [text($0.uuidString, stem: nil, generation: generation(of: name)), copy(of: name)].contains(name)
    } ?? false
  }
}
