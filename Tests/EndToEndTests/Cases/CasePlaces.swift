// The values of a case's words in braces, and the bytes of its versions.

import FaultServer
import Foundation

/// The words and the versions of a case.
struct CasePlaces {
  /// The values of words, by their names without braces.
  private let words: [String: String]
  /// The versions that the case defines.
  private var defined: [String: Version] = [:]
  /// The size of a version without an explicit size.
  var size: Int64 = 1 << 20
  /// Answers held by gates until a step is done.
  let gate = Gate()

  /// The words that any case may use. `FaultServer` replaces further words in headers; these stay unchanged here.
  static let names: Set = [
    "main", "main-host", "other", "other-host", "other-port", "tls", "tls-host", "refused", "dir", "root", "home",
    "secret",
  ]
  private static let left = ["first", "last", "total", "length", "n"]

  init(_ words: [String: String]) { self.words = words }

  /// Places for reading a case without running it.
  static var none: CasePlaces { CasePlaces(Dictionary(uniqueKeysWithValues: names.map { ($0, "none") })) }

  /// The names of the versions whose digests a case uses.
  static func digests(in text: String) -> [String] {
    Array(Set(text.matches(of: /\{sha256:([^}]+)\}/).map { String($0.output.1) }))
  }

  /// The text with its words replaced.
  ///
  /// - Throws: `CaseError` for an unknown word.
  func filled(_ node: CaseNode, _ text: String) throws -> String {
    var result = ""
    var rest = Substring(text)
    while let match = rest.firstMatch(of: /\{([a-z][a-z0-9:-]*)(\+[0-9]+)?\}/) {
      let name = String(match.output.1)
      result += rest[..<match.range.lowerBound]
      rest = rest[match.range.upperBound...]
      if result.hasSuffix("$") || Self.left.contains(name) || name.hasPrefix("date") {
        result += match.output.0
      } else if let value = words[name] {
        result += value
      } else if name.hasPrefix("sha256:"), words["main"] == "none" {
        _ = try content(String(name.dropFirst(7)), node)
        result += "none"
      } else {
        throw node.error("there is no word {\(name)}, but: \(Self.names.sorted().joined(separator: ", "))")
      }
    }
    return result + rest
  }

  /// The text of a node with its words replaced.
  func text(_ node: CaseNode) throws -> String { try filled(node, try node.text()) }

  // MARK: Versions

  /// Adds a version that the case defines.
  mutating func define(_ name: String, _ version: Version) { defined[name] = version }

  /// The version of a name: `v1`, or `v1:5000` for another size.
  func version(_ name: String, _ node: CaseNode) throws -> Version {
    if let version = defined[name] { return version }
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    guard let first = parts.first, first.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil else {
      throw node.error("\"\(name)\" is not a name of a version")
    }
    guard parts.count == 2 else { return .named(first, size: size) }
    guard let size = Int64(parts[1]), size >= 0 else { throw node.error("\"\(parts[1])\" is not a size") }
    let version = defined[first] ?? .named(first, size: size)
    return defined[first] == nil ? version : try Self.cut(version, to: size, node)
  }

  private static func cut(_ version: Version, to size: Int64, _ node: CaseNode) throws -> Version {
    guard size <= version.content.size else { throw node.error("this version has fewer bytes") }
    return Version(.fixed(version.content.bytes(in: 0..<size)), etag: version.etag)
  }

  /// The bytes of `text:…`, `hex:…` or a version.
  func content(_ text: String, _ node: CaseNode) throws -> Content {
    if text.hasPrefix("text:") { return .fixed(text.dropFirst(5).utf8) }
    if text.hasPrefix("hex:") { return .fixed(try Self.bytes(hex: text.dropFirst(4), node)) }
    return try version(text, node).content
  }

  /// Bytes from hexadecimal digits.
  static func bytes(hex: some StringProtocol, _ node: CaseNode) throws -> [UInt8] {
    let digits = String(hex).filter { $0 != " " }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
    guard bytes.count * 2 == digits.count else { throw node.error("these are not hexadecimal digits of bytes") }
    return bytes
  }
}
