// Manual pages in the format mdoc(7): one page, and all pages of a program.

internal import DrayKit

struct ManualPage {
  var name: String
  /// The section of the manual: 1 for commands, 5 for files, 7 for everything else.
  var section = 1
  /// The subject of the page in one line, without a period at its end.
  var line: String
  /// Everything that follows the section NAME, in mdoc.
  var body = ""

  /// The name of the page's file in `man/`.
  var file: String { "\(name).\(section)" }

  /// The content of the file. Its date is that of the release, so that a page does not depend on when it is generated.
  var source: String {
    """
    .\\" Made by `make generate` out of the program's own definition; edit Sources/DrayCommands and docs/manual instead.
    .Dd \(DrayVersion.date)
    .Dt \(name.uppercased()) \(section)
    .Os dray \(DrayVersion.text)
    .Sh NAME
    .Nm \(name)
    .Nd \(Mdoc.line(line))
    \(body)
    """
  }

  /// Adds a section, whose text is in the notation of ``Mdoc/body(_:)``.
  mutating func add(_ title: String, _ text: String) { body += Mdoc.section(title, text) }
}

struct Manual {
  let root: CommandReference
  let texts: ManualTexts

  /// The pages that do not describe a command. All their text is written by hand.
  private static let others = [("dray-config", 5), ("dray-formats", 7)]

  /// Returns all pages, in the order of the commands.
  /// - Throws: The same failures as ``ManualTexts/sections(_:)``.
  func pages() throws(Failure) -> [ManualPage] {
    var pages = [try overview()]
    for command in root.visibleSubcommands { pages.append(try CommandPage(root, command, texts).page) }
    for (name, section) in Manual.others {
      var page = ManualPage(name: name, section: section, line: "")
      for (title, body) in try texts.sections(page.file) {
        if title == "NAME" { page.line = body.split(separator: "\n").joined() } else { page.add(title, body) }
      }
      pages.append(page)
    }
    return pages
  }

  /// Returns the page dray(1): an introduction, one line for each command, and the subjects that concern all commands.
  private func overview() throws(Failure) -> ManualPage {
    var page = ManualPage(name: "dray", line: "fetch files, complete and verified: queue, transfer, watch, resume")
    page.body += ".Sh SYNOPSIS\n.Nm dray\n.Ar command\n.Op Ar options\n.Op Ar arguments\n"
    for (title, body) in try texts.sections(page.file) {
      page.add(title, body)
      switch title {
      case "COMMANDS": page.body += commands
      case "OPTIONS": page.body += CommandPage.options(root.visibleOptions, isWhole: true)
      default: break
      }
    }
    return page
  }

  private var commands: String {
    var body = ""
    let longest = root.visibleSubcommands.map(\.commandName).max { $0.count < $1.count } ?? ""
    for (title, commands) in CommandGroup.divide(root.visibleSubcommands) {
      body += ".Ss \(title)\n.Bl -tag -width dray-\(longest)(1) -compact\n"
      for command in commands {
        body += ".It \\fB\(Mdoc.escape("dray-\(command.commandName)"))\\fR(1)\n"
        body += Mdoc.prose(command.abstract ?? "")
      }
      body += ".El\n"
    }
    return body
  }
}
