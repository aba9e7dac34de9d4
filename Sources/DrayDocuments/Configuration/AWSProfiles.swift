// Reads the files of AWS tools with keys and regions: sections in brackets, lines `name = value`.

internal import DrayCore

package struct AWSProfiles: Sendable, Equatable {
  /// The keys are lowercase.
  package typealias Profile = [String: String]

  private var profiles: [String: Profile] = [:]

  /// A section is `[name]`, or `[profile name]` as in the configuration file; other kinds of section are ignored. An
  /// indented line belongs to the name above it and becomes `name.inner`.
  /// - Throws: ``DocumentError``, which does not quote the text, because it contains keys.
  package init(_ text: String) throws(DocumentError) {
    var section: String?
    var outer = ""
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.trimmingSpaces()
      guard let first = words.first, first != "#", first != ";" else { continue }
      if first == "[" {
        guard let end = words.firstIndex(of: "]") else { throw AWSProfiles.wrong("a section has no ]", index) }
        section = AWSProfiles.name(words[words.index(after: words.startIndex)..<end])
        outer = ""
        continue
      }
      guard let sign = words.firstIndex(of: "=") else {
        throw AWSProfiles.wrong("a line is neither [section] nor name = value", index)
      }
      guard let section else { continue }
      let name = words[..<sign].trimmingSpaces().lowercased()
      let value = words[words.index(after: sign)...].trimmingSpaces()
      let isInner = line.first == " " || line.first == "\t"
      if !isInner { outer = name }
      profiles[section, default: [:]][isInner && !outer.isEmpty ? "\(outer).\(name)" : name] = String(value)
    }
  }

  /// This file's values take precedence.
  package mutating func add(_ other: AWSProfiles) {
    for (name, values) in other.profiles { profiles[name, default: [:]].merge(values) { own, _ in own } }
  }

  package subscript(name: String) -> Profile? { profiles[name] }

  private static func name(_ text: Substring) -> String? {
    let words = text.split { $0 == " " || $0 == "\t" }
    switch words.count {
    case 1: return String(words[0])
    case 2 where words[0] == "profile": return String(words[1])
    default: return nil
    }
  }

  private static func wrong(_ reason: String, _ index: Int) -> DocumentError {
    DocumentError("a file of AWS profiles", reason, line: index + 1)
  }
}
