// Rows of tables that were written from the text of a standard; each table is a file in `Tests/Standards`.

import Foundation
import TOMLKit
import Testing

/// A row of a table.
struct StandardRow: Sendable, CustomTestStringConvertible {
  /// The section of the standard behind the row, and its subject.
  let section: String
  private let texts: [String: String]
  private let lists: [String: [String]]
  private let flags: [String: Bool]
  private let numbers: [String: Int]

  var testDescription: String { section }

  /// A text; `nil` if the row has none of this name.
  subscript(name: String) -> String? { texts[name] }

  /// A list of texts; a single text counts as a list of one.
  func list(_ name: String) -> [String]? { lists[name] ?? texts[name].map { [$0] } }

  func flag(_ name: String) -> Bool { flags[name] ?? false }

  func number(_ name: String) -> Int? { numbers[name] }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../Standards").standardizedFileURL.path

  /// The rows of a table. A key that is not among `keys` is an error, so that no written value goes unchecked.
  static func table(_ name: String, keys: Set<String>) -> [StandardRow] {
    do {
      let text = try String(contentsOfFile: "\(folder)/\(name).toml", encoding: .utf8)
      guard let rows = try TOMLTable(string: text)["row"]?.array else { throw BadTable("\(name) has no [[row]]") }
      return try rows.map { row in
        guard let table = row.table else { throw BadTable("\(name): a row is not a table") }
        return try StandardRow(table, keys.union(["section"]), in: name)
      }
    } catch {
      Issue.record("\(name): \(error)")
      return []
    }
  }

  private init(_ table: TOMLTable, _ keys: Set<String>, in name: String) throws {
    guard let section = table["section"]?.string else { throw BadTable("\(name): a row has no section") }
    self.section = section
    var (texts, lists, flags, numbers) = ([String: String](), [String: [String]](), [String: Bool](), [String: Int]())
    for (key, value) in table {
      guard keys.contains(key) else { throw BadTable("\(name): \(section): \(key) is not known") }
      if let text = value.string { texts[key] = text }
      if let list = value.array { lists[key] = list.compactMap(\.string) }
      if let flag = value.bool { flags[key] = flag }
      if let number = value.int { numbers[key] = number }
    }
    (self.texts, self.lists, self.flags, self.numbers) = (texts, lists, flags, numbers)
  }
}

private struct BadTable: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
