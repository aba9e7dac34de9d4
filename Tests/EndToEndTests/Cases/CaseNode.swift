// A case file as values with their lines, and tables that must be read completely.

import TOMLKit

/// An error in a case file, with its place.
struct CaseError: Error, CustomStringConvertible, Equatable {
  let file: String
  let line: Int
  let reason: String

  var description: String { "\(file):\(line): \(reason)" }
}

/// A value of a case file.
struct CaseNode {
  enum Value {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case list([CaseNode])
    case table([String: CaseNode])
    case other(String)
  }

  let value: Value
  /// Names and indexes that lead to the value.
  let path: [String]
  let file: String
  let line: Int

  /// Reads a document.
  ///
  /// - Throws: `CaseError` when it is not TOML.
  static func parse(_ text: String, file: String) throws -> CaseNode {
    if let nul = text.firstRange(of: "\\u0000") {
      // TOMLKit passes texts as C strings: anything after a NUL would be lost silently.
      let line = text[..<nul.lowerBound].count { $0 == "\n" } + 1
      throw CaseError(file: file, line: line, reason: "a text cannot hold NUL; { hex = \"00\" } can")
    }
    do {
      let lines = CaseLines(text)
      return CaseNode(try TOMLTable(string: text), path: [], file: file, lines: lines)
    } catch let error as TOMLParseError {
      throw CaseError(file: file, line: error.source.begin.line, reason: "this is not TOML: \(error.description)")
    }
  }

  private init(_ toml: any TOMLValueConvertible, path: [String], file: String, lines: CaseLines) {
    (self.path, self.file, line) = (path, file, lines.line(path))
    value =
      switch toml.type {
      case .string: .text(toml.string ?? "")
      case .int: .integer(Int64(toml.int ?? 0))
      case .double: .number(toml.double ?? 0)
      case .bool: .flag(toml.bool ?? false)
      case .array:
        .list(
          (toml.array ?? []).enumerated().map {
            CaseNode($0.element, path: path + ["\($0.offset)"], file: file, lines: lines)
          })
      case .table: .table(Self.entries(of: toml.table ?? TOMLTable(), path: path, file: file, lines: lines))
      default: .other(toml.type.description)
      }
  }

  private static func entries(
    of table: TOMLTable, path: [String], file: String, lines: CaseLines
  ) -> [String: CaseNode] {
    var entries: [String: CaseNode] = [:]
    for key in table.keys {
      if let value = table[key] { entries[key] = CaseNode(value, path: path + [key], file: file, lines: lines) }
    }
    return entries
  }

  /// The place in the document, for people: `serve./f.answers[1]`.
  var place: String {
    path.reduce("") { place, name in
      Int(name) != nil ? "\(place)[\(name)]" : place.isEmpty ? name : "\(place).\(name)"
    }
  }

  /// The error for an invalid value.
  func error(_ reason: String) -> CaseError {
    CaseError(file: file, line: line, reason: path.isEmpty ? reason : "\(place): \(reason)")
  }

  // MARK: Types

  /// The text, possibly empty.
  func string() throws -> String {
    guard case .text(let text) = value else { throw error("must be a text") }
    return text
  }

  /// The nonempty text.
  func text() throws -> String {
    let text = try string()
    guard !text.isEmpty else { throw error("says nothing") }
    return text
  }

  /// The integer.
  func integer() throws -> Int64 {
    guard case .integer(let integer) = value else { throw error("must be an integer") }
    return integer
  }

  /// The number.
  func number() throws -> Double {
    switch value {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw error("must be a number")
    }
  }

  /// True or false.
  func flag() throws -> Bool {
    guard case .flag(let flag) = value else { throw error("must be true or false") }
    return flag
  }

  /// The elements, at least one.
  func list() throws -> [CaseNode] {
    guard case .list(let list) = value else { throw error("must be an array") }
    guard !list.isEmpty else { throw error("says nothing") }
    return list
  }

  /// One text, or an array of texts.
  func texts() throws -> [String] {
    if case .list = value { return try list().map { try $0.text() } }
    return [try text()]
  }

  /// The table.
  func table() throws -> CaseTable {
    guard case .table(let entries) = value else { throw error("must be a table") }
    return CaseTable(node: self, entries: entries)
  }
}

/// A table; every key must be read before `finish`.
final class CaseTable {
  let node: CaseNode
  private let entries: [String: CaseNode]
  private var asked: Set<String> = []

  init(node: CaseNode, entries: [String: CaseNode]) {
    (self.node, self.entries) = (node, entries)
  }

  /// The value of a key; nil if it is missing.
  subscript(key: String) -> CaseNode? {
    asked.insert(key)
    return entries[key]
  }

  /// The value of a mandatory key.
  func needed(_ key: String) throws -> CaseNode {
    guard let node = self[key] else { throw node.error("\"\(key)\" is missing") }
    return node
  }

  /// All keys with their values, in the order of their lines; for tables whose keys are free.
  func all() -> [(key: String, node: CaseNode)] {
    asked.formUnion(entries.keys)
    return entries.sorted { ($0.value.line, $0.key) < ($1.value.line, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Refuses keys that were not read.
  func finish() throws {
    let unknown = entries.filter { !asked.contains($0.key) }.min { $0.value.line < $1.value.line }
    guard let unknown else { return }
    let known = asked.sorted().joined(separator: ", ")
    throw unknown.value.error("there is no such key here, but: \(known)")
  }
}
