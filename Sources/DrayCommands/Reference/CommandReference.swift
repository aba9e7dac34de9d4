// The command line as data, which ArgumentParser describes in its help dump. Help, manual pages and completions are
// generated from it.

internal import ArgumentParser
internal import DrayKit
internal import FoundationEssentials

/// A command with its arguments, as help, manual pages and completions need it.
struct CommandReference: Decodable {
  var commandName: String
  var aliases: [String]?
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool?
  var subcommands: [CommandReference]?
  var arguments: [ArgumentReference]?

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

  /// The subcommands that the help shows.
  var visibleSubcommands: [CommandReference] {
    (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }

  /// The arguments that the help shows, without those that every command has.
  var visibleArguments: [ArgumentReference] {
    (arguments ?? []).filter { argument in
      argument.shouldDisplay && !(argument.names ?? []).contains { $0.name == "help" || $0.name == "version" }
    }
  }

  var visibleOptions: [ArgumentReference] { visibleArguments.filter { $0.kind != "positional" } }

  var operands: [ArgumentReference] { visibleArguments.filter { $0.kind == "positional" } }

  func subcommand(_ name: String) -> CommandReference? {
    (subcommands ?? []).first { $0.commandName == name || ($0.aliases ?? []).contains(name) }
  }

  /// Returns the command that the words begin with, and its full name.
  func command(in words: some Collection<String>) -> (command: CommandReference, path: [String]) {
    var found: (command: CommandReference, path: [String]) = (self, [])
    for word in words {
      guard let next = found.command.subcommand(word), next.commandName != "help" else { break }
      found = (next, found.path + [next.commandName])
    }
    return found
  }

  /// Returns the option with a name, which is given with its dashes.
  func option(_ text: String) -> ArgumentReference? {
    visibleOptions.first { ($0.names ?? []).contains { $0.text == text } }
  }
}
