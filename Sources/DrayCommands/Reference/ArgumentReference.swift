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

  /// How the value is completed: as a `file`, a `directory`, from a `list`, by a `custom` function, and so on.
  struct CompletionKind: Decodable {
    var name: String?
    /// The values of the kind `list`.
    var values: [String] = []
    /// The file name extensions of the kind `file`; empty for any.
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

  /// The long name without dashes; if there is none, the short name.
  var key: String { (names?.first { $0.kind == "long" } ?? names?.first)?.name ?? valueName ?? "" }

  /// The names with dashes; short names come first.
  var orderedNames: [String] {
    let all = names ?? []
    return (all.filter { $0.kind != "long" } + all.filter { $0.kind == "long" }).map(\.text)
  }

  /// The short and long names, with dashes.
  var texts: [String] { (names ?? []).map(\.text) }

  var isFlag: Bool { kind == "flag" }

  var isPath: Bool { ["file", "directory"].contains(completionKind?.name ?? "") }

  /// The value as the help shows it: its possible values if there are few, otherwise its kind; `nil` for a flag.
  var shownValue: String? {
    guard !isFlag, let valueName else { return nil }
    // If the definition gives no name for a value, the parser names it after its option. The possible values say more
    // than that, so they are shown instead.
    if kind == "option", valueName == key, let allValues, !allValues.isEmpty { return allValues.joined(separator: "|") }
    return valueName
  }

  var describedValues: [(value: String, meaning: String)] {
    (allValues ?? []).map { ($0, allValueDescriptions?[$0] ?? "") }
  }
}
