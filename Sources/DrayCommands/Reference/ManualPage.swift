// A manual page in mdoc(7): its header, its sections, and what each kind of page has of the definition.

internal import DrayKit

/// A page.
struct ManualPage {
  /// What `man` finds it by.
  var name: String
  /// The section of the manual: 1 commands, 5 files, 7 the rest.
  var section = 1
  /// What it is about, in a line without an end.
  var line: String
  /// Everything below NAME, in mdoc.
  var body = ""

  /// Its file below `man/`.
  var file: String { "\(name).\(section)" }

  /// The file. The date is that of the release, not of the day: a page must be the same whenever it is made.
  var source: String {
    """
    .\\" Made by `make generate` out of the program's own definition; edit Sources/DrayCommands instead.
    .Dd \(DrayVersion.date)
    .Dt \(name.uppercased()) \(section)
    .Os dray \(DrayVersion.text)
    .Sh NAME
    .Nm \(name)
    .Nd \(Mdoc.line(line))
    \(body)
    """
  }

  /// Adds a section in the small notation of ``Mdoc/body(_:)``.
  mutating func add(_ title: String, _ text: String) { body += Mdoc.section(title, text) }
}

/// The pages of a program.
struct Manual {
  let root: CommandReference

  init(_ root: CommandReference) { self.root = root }

  /// All of them, in the order of the commands.
  var pages: [ManualPage] {
    [overview] + root.visibleSubcommands.map { CommandPage(root, $0).page }
      + ManualSections.others.map { other in
        var page = ManualPage(name: other.name, section: other.section, line: other.line)
        page.add("DESCRIPTION", other.description)
        for (title, body) in other.sections { page.add(title, body) }
        page.add("SEE ALSO", other.seeAlso)
        return page
      }
  }

  /// dray(1): what it is, all commands in a line each, and what they have in common.
  private var overview: ManualPage {
    var page = ManualPage(name: "dray", line: "fetch files, complete and verified: queue, transfer, watch, resume")
    page.body += ".Sh SYNOPSIS\n.Nm dray\n.Ar command\n.Op Ar options\n.Op Ar arguments\n"
    page.add("DESCRIPTION", ManualText.description)
    page.body += ".Sh COMMANDS\n" + Mdoc.prose(ManualText.commands)
    let longest = root.visibleSubcommands.map(\.commandName).max { $0.count < $1.count } ?? ""
    for (title, commands) in CommandGroup.divide(root.visibleSubcommands) {
      page.body += ".Ss \(title)\n.Bl -tag -width dray-\(longest)(1) -compact\n"
      for command in commands {
        page.body += ".It \\fB\(Mdoc.escape("dray-\(command.commandName)"))\\fR(1)\n"
        page.body += Mdoc.prose(command.abstract ?? "")
      }
      page.body += ".El\n"
    }
    page.body += ".Sh OPTIONS\n" + Mdoc.prose(ManualText.options)
    page.body += CommandPage.options(root.visibleOptions, isWhole: true)
    for (title, body) in ManualSections.of("dray") { page.add(title, body) }
    return page
  }
}
