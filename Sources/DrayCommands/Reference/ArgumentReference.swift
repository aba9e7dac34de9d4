internal import ArgumentParser
internal import DrayKit

/// An option, a flag or an operand.
struct ArgumentReference: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String

    var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
  }

  var kind: String
  var shouldDisplay: Bool
  var sectionTitle: String?
  var isOptional: Bool
  var isRepeating: Bool
  var names: [Name]?
  var valueName: String?
  var defaultValue: String?
  var allValues: [String]?
  var allValueDescriptions: [String: String]?
  var abstract: String?
  var discussion: String?
  var completionKind: CompletionKind?

  /// The kind of completion: `file`, `directory`, `list`, `custom`, ….
  struct CompletionKind: Decodable {
    var name: String?
    /// The values of `list`.
    var values: [String] = []
    /// The extensions of `file`; empty for any.
    var extensions: [String] = []

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      guard let key = container.allKeys.first else { return }
      name = key.stringValue
      guard let details = try? container.decode([String: [String]].self, forKey: key) else { return }
      values = details["values"] ?? []
      extensions = details["extensions"] ?? []
    }
  }

  /// The long name without dashes; without one, the short name.
  var key: String { (names?.first { $0.kind == "long" } ?? names?.first)?.name ?? valueName ?? "" }

  /// The names with dashes, short ones first.
  var orderedNames: [String] {
    let all = names ?? []
    return (all.filter { $0.kind != "long" } + all.filter { $0.kind == "long" }).map(\.text)
  }

  /// The short and long names, with dashes.
  var texts: [String] { (names ?? []).map(\.text) }

  var isFlag: Bool { kind == "flag" }

  var isPath: Bool { ["file", "directory"].contains(completionKind?.name ?? "") }

  /// The value as help shows it: its few possible values, or its kind; `nil` for a flag.
  var shownValue: String? {
    guard !isFlag, let valueName else { return nil }
    // By default the parser names a value after its option. Show the possible values instead.
    if kind == "option", valueName == key, let allValues, !allValues.isEmpty { return allValues.joined(separator: "|") }
    return valueName
  }

  var describedValues: [(value: String, meaning: String)] {
    (allValues ?? []).map { ($0, allValueDescriptions?[$0] ?? "") }
  }
}
