// The command line as data: what the manual page is made of, read from ArgumentParser's help dump.

internal import ArgumentParser
internal import DrayKit
import Foundation

/// A command with its arguments, as far as the manual page needs them.
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
  var abstract: String?
  var discussion: String?
  var completionKind: CompletionKind?

  /// What is completed: `file`, `directory`, `list`, ….
  struct CompletionKind: Decodable {
    var name: String?

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: Key.self).allKeys.first?.stringValue
    }
  }
}
