// The options of all commands by their names, out of the definition that help and manual page are made of: a new
// option is a key of the configuration without another word.

internal import ArgumentParser
internal import DrayKit

/// Every command with its long options.
struct OptionCatalog {
  /// A command.
  struct Command {
    /// Its name, with those of the commands it is below.
    var path: [String]
    var aliases: [String]
    /// By their long names without dashes; one of several names has an entry for each.
    var options: [String: ArgumentReference]
  }

  let commands: [Command]

  init(_ root: CommandReference) {
    var all: [Command] = []
    func add(_ reference: CommandReference, _ above: [String]) {
      for command in reference.subcommands ?? [] where command.commandName != "help" {
        let path = above + [command.commandName]
        var options: [String: ArgumentReference] = [:]
        for argument in command.visibleArguments where argument.kind != "positional" {
          for name in argument.names ?? [] where name.kind == "long" { options[name.name] = argument }
        }
        all.append(Command(path: path, aliases: command.aliases ?? [], options: options))
        add(command, path)
      }
    }
    add(root, [])
    commands = all
  }

  /// That of a program.
  static func read(_ root: any ParsableCommand.Type) throws(Failure) -> OptionCatalog {
    OptionCatalog(try CommandReference.read(root))
  }

  /// The command of this name.
  func command(_ path: [String]) -> Command? { commands.first { $0.path == path } }

  /// The command that arguments begin with, and how many of them name it.
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

  /// All names of options.
  var names: Set<String> { Set(commands.flatMap(\.options.keys)) }

  /// The commands that have an option.
  func commands(with option: String) -> [Command] { commands.filter { $0.options[option] != nil } }

  /// An option as one of the commands has it; a repeatable one is preferred, then whatever comes first.
  func option(_ name: String) -> ArgumentReference? { commands(with: name).first?.options[name] }
}
