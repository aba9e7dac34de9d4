// The options of all commands by name. They are read from the definition from which help and manual pages are
// generated, so every new option is a key of the configuration as well.

internal import ArgumentParser
internal import DrayKit

/// All commands with their long options.
struct OptionCatalog {
  struct Command {
    /// The name of the command, preceded by those of the commands above it.
    var path: [String]
    var aliases: [String]
    /// The options by their long names, without dashes. An option with several names has an entry for each name.
    var options: [String: ArgumentReference]
  }

  let commands: [Command]

  init(_ root: CommandReference) {
    var all: [Command] = []
    func add(_ reference: CommandReference, _ above: [String]) {
      for command in reference.subcommands ?? [] where command.commandName != "help" {
        let path = above + [command.commandName]
        all.append(Command(path: path, aliases: command.aliases ?? [], options: OptionCatalog.options(of: command)))
        add(command, path)
      }
    }
    add(root, [])
    commands = all
  }

  static func options(of command: CommandReference) -> [String: ArgumentReference] {
    var options: [String: ArgumentReference] = [:]
    for argument in command.visibleOptions {
      for name in argument.names ?? [] where name.kind == "long" { options[name.name] = argument }
    }
    return options
  }

  static func read(_ root: any ParsableCommand.Type) throws(Failure) -> OptionCatalog {
    OptionCatalog(try CommandReference.read(root))
  }

  func command(_ path: [String]) -> Command? { commands.first { $0.path == path } }

  /// Returns the command that the arguments begin with, and how many of the arguments name it.
  func command(in arguments: some Collection<String>) -> (command: Command, count: Int)? {
    var found: (command: Command, count: Int)?
    for word in arguments {
      let above = found?.command.path ?? []
      let next = commands.first { command in
        command.path.dropLast().elementsEqual(above) && (command.path.last == word || command.aliases.contains(word))
      }
      guard let next else { break }
      found = (next, above.count + 1)
    }
    return found
  }

  var names: Set<String> { Set(commands.flatMap(\.options.keys)) }

  func commands(with option: String) -> [Command] { commands.filter { $0.options[option] != nil } }

  /// Returns the option with a name, from the first command that has it.
  func option(_ name: String) -> ArgumentReference? { commands(with: name).first?.options[name] }
}
