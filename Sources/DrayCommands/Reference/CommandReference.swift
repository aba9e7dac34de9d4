// The command line as data: what help, manual pages and completions are made of, read from ArgumentParser's help dump.

internal import ArgumentParser
internal import DrayKit
import FoundationEssentials
internal import Glibc

/// A command with its arguments, as far as help, manual and completions need them.
struct CommandReference: Decodable {
  var commandName: String
  var aliases: [String]?
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool?
  var subcommands: [CommandReference]?
  var arguments: [ArgumentReference]?

  /// The definition of a program.
  static func read(_ root: any ParsableCommand.Type) throws(Failure) -> CommandReference {
    do {
      return try JSONDecoder().decode(Dump.self, from: Data(root._dumpHelp().utf8)).command
    } catch {
      throw Failure(.other, "the description of the command line", "it cannot be read: \(error)")
    }
  }

  private struct Dump: Decodable {
    var command: CommandReference
  }

  /// The subcommands that people see.
  var visibleSubcommands: [CommandReference] {
    (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }

  /// The arguments that people see, without those that every command has.
  var visibleArguments: [ArgumentReference] {
    (arguments ?? []).filter { argument in
      argument.shouldDisplay && !(argument.names ?? []).contains { $0.name == "help" || $0.name == "version" }
    }
  }

  /// Those of them that are options and flags.
  var visibleOptions: [ArgumentReference] { visibleArguments.filter { $0.kind != "positional" } }

  /// Those of them that are named by their place.
  var operands: [ArgumentReference] { visibleArguments.filter { $0.kind == "positional" } }

  /// The subcommand that people call so.
  func subcommand(_ name: String) -> CommandReference? {
    (subcommands ?? []).first { $0.commandName == name || ($0.aliases ?? []).contains(name) }
  }

  /// The command that words begin with, its whole name, and how many of the words it takes.
  func command(in words: some Collection<String>) -> (command: CommandReference, path: [String]) {
    var found: (command: CommandReference, path: [String]) = (self, [])
    for word in words {
      guard let next = found.command.subcommand(word), next.commandName != "help" else { break }
      found = (next, found.path + [next.commandName])
    }
    return found
  }

  /// The option of this name, with its dashes.
  func option(_ text: String) -> ArgumentReference? {
    visibleOptions.first { ($0.names ?? []).contains { $0.text == text } }
  }
}

/// An option, a flag or an operand.
struct ArgumentReference: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String

    /// With its dashes.
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

  /// What is completed: `file`, `directory`, `list`, `custom`, ….
  struct CompletionKind: Decodable {
    var name: String?
    /// Of `list`.
    var values: [String] = []
    /// Of `file`; none means any.
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

  /// Its long name without dashes, else its short one.
  var key: String { (names?.first { $0.kind == "long" } ?? names?.first)?.name ?? valueName ?? "" }

  /// Its names with dashes, the short one first, as people read them.
  var orderedNames: [String] {
    let all = names ?? []
    return (all.filter { $0.kind != "long" } + all.filter { $0.kind == "long" }).map(\.text)
  }

  /// Its short and long names, with dashes.
  var texts: [String] { (names ?? []).map(\.text) }

  /// Whether it takes no value.
  var isFlag: Bool { kind == "flag" }

  /// Whether its value is the path of a file, or of a directory.
  var isPath: Bool { ["file", "directory"].contains(completionKind?.name ?? "") }

  /// Its value as help shows it: its few values, or what kind of value it is; nil for a flag.
  var shownValue: String? {
    guard !isFlag, let valueName else { return nil }
    // The parser's own name for a value is that of the option, which says nothing.
    if kind == "option", valueName == key, let allValues, !allValues.isEmpty { return allValues.joined(separator: "|") }
    return valueName
  }

  /// Its values with what they mean, where it has a few.
  var describedValues: [(value: String, meaning: String)] {
    (allValues ?? []).map { ($0, allValueDescriptions?[$0] ?? "") }
  }
}
