// Help: its length, its content, and the words that lead to each page.

import DrayCore
import Testing

@testable import DrayCommands

@Suite("Help")
struct HelpTests {
  private let root: CommandReference
  private let request: HelpRequest

  init() throws {
    root = try reference()
    request = HelpRequest(root: root, layout: HelpLayout())
  }

  private func lines(_ words: String...) throws -> [String] {
    try request.page(words).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test("the help of every command fits two screens; examples are printed unchanged")
  func fits() throws {
    for command in root.visibleSubcommands {
      let lines = try lines(command.commandName)
      #expect((5...48).contains(lines.count), "\(command.commandName): \(lines.count)")
      let examples = CommandText(command.discussion).examples
      for example in examples { #expect(lines.contains("  " + example)) }
      for line in lines where !examples.contains(String(line.dropFirst(2))) { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test("the overview fits a screen of 24 lines with the prompt, and has every command")
  func overview() throws {
    let lines = try lines()
    #expect(lines.count <= 23 && lines.allSatisfy { $0.count <= 80 })
    let words = Set(lines.flatMap { $0.split(separator: " ").map(String.init) })
    for command in root.visibleSubcommands { #expect(words.contains(command.commandName), "\(command.commandName)") }
  }

  @Test("the overview has two columns where they fit", arguments: [(40, 1), (60, 1), (80, 2), (120, 2)])
  func narrowOverview(_ width: Int, _ columns: Int) throws {
    let lines = HelpRequest(root: root, layout: HelpLayout(width: width)).overview
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    let commands = root.visibleSubcommands
    let widest = commands.map(\.commandName.count).max() ?? 0
    for command in commands {
      let name = command.commandName
      let cell = "  " + name + String(repeating: " ", count: widest + 2 - name.count) + CommandGroup.words(command)
      #expect(lines.count { $0.contains(cell) } == 1, "\(cell)")
    }
    let first = try #require(lines.first { $0.hasPrefix("  get ") })
    #expect(first.contains("pause") == (columns == 2))
  }

  @Test(
    "a meaning is below its term where there is no room beside it",
    arguments: [
      (80, ["  -x, --extra         some words here"]), (60, ["  -x, --extra         some words here"]),
      (40, ["  -x, --extra", "      some words here"]),
    ])
  func narrowEntries(_ width: Int, _ lines: [String]) {
    #expect(HelpLayout(width: width).entry("-x, --extra", "some words here", column: 22) == lines)
  }

  @Test("blocks stay in their order", arguments: [(5, ["a", "bb", "c", "dd"]), (6, ["a  c", "bb dd"])])
  func blocks(_ width: Int, _ lines: [String]) {
    #expect(HelpLayout(width: width).beside([["a", "bb"], ["c", "dd"]]) == lines)
  }

  @Test("a long help has usual options and the names of all groups; together the groups have every option")
  func groups() throws {
    let get = try #require(root.subcommand("get"))
    let short = try lines("get")
    let page = HelpPage(get, path: ["get"])
    #expect(OptionTopic.usual(get).count == OptionTopic.few)
    #expect(short.contains { $0.contains("-r, --recursive") })
    for name in page.topicNames { #expect(short.contains { $0.contains("  \(name) ") }, "\(name)") }
    let shown = try page.topicNames.flatMap { try lines("get", $0) } + short
    for option in get.visibleOptions { #expect(shown.contains { $0.contains("--\(option.key)") }, "\(option.key)") }
    let all = try lines("get", "--all")
    for option in get.visibleOptions {
      #expect(all.contains { $0.hasPrefix("  " + OptionText(option).term) }, "\(option.key)")
    }
  }

  @Test("every option is in exactly one group, and no group names an unknown option")
  func division() throws {
    for command in root.visibleSubcommands {
      let divided = OptionTopic.divide(command.visibleOptions).flatMap(\.options).map(\.key)
      #expect(divided.sorted() == command.visibleOptions.map(\.key).sorted(), "\(command.commandName)")
    }
    let known = Set(root.visibleSubcommands.flatMap(\.visibleOptions).map(\.key))
    for name in OptionTopic.all.flatMap({ $0.first + $0.last }) { #expect(known.contains(name), "\(name)") }
  }

  @Test("the option of each setting has a topic of help in its row, and each topic is shown")
  func topics() {
    for setting in Setting.all where setting.help != nil { #expect(setting.topic != nil, "\(setting.name)") }
    let names = Set(OptionTopic.all.map(\.name))
    for topic in SettingTopic.allCases { #expect(names.contains(topic.rawValue)) }
  }

  @Test("an unlisted option goes to the group of its title, and a new title makes a new group")
  func newOptions() {
    func option(_ name: String, _ title: String) -> ArgumentReference {
      ArgumentReference(
        kind: "flag", shouldDisplay: true, sectionTitle: title, isOptional: true, isRepeating: false,
        names: [.init(kind: "long", name: name)])
    }
    let divided = OptionTopic.divide([option("fresh", "Display options"), option("other", "Torrent options")])
    #expect(divided.map { $0.topic?.name } == ["display", "torrent"])
    #expect(divided.map { $0.options.map(\.key) } == [["fresh"], ["other"]])
  }

  @Test(
    "words find a page",
    arguments: [
      (["get", "http"], "--user-agent <name>"), (["get", "--limit-rate"], "bytes per second"),
      (["--limit-rate"], "Of dray get, dray add"), (["-x"], "--max-connections"), (["--tries"], "`--retries`"),
      (["rm"], "Usage: dray remove"), (["cookies", "add"], "Usage: dray cookies add"), (["cookies"], "list "),
      (["--all"], "cookies add"), (["--config"], "With every command"), (["--host"], "With every command"),
      (["--host"], "Of dray cookies add."),
      (["get", "--verify=auto"], "as auto, and fail"),
      (["generate"], "Usage: dray generate"), (["sources"], "Documents that describe files"),
      (["sources"], "--no-names fetches the page itself"),
    ])
  func found(_ words: [String], _ part: String) throws {
    // Wherever lines end.
    let page = try request.page(words).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(page.contains(part), "\(page)")
  }

  @Test(
    "an unknown page is an error that lists the pages",
    arguments: [
      (["get", "htpp"], "did you mean http?"), (["get", "xyzzy"], "there are input, files"),
      (["--limi-rate"], "did you mean --limit-rate?"), (["pause", "http"], "no groups"),
      (["get", "--xyzzy"], "dray help get --all"),
    ])
  func unknown(_ words: [String], _ part: String) {
    do throws(Failure) {
      let page = try request.page(words)
      Issue.record("\(page)")
    } catch {
      #expect(error.kind == .usage && error.message.contains(part), "\(error.message)")
    }
  }

  @Test(
    "--help is about the typed command, whatever else is typed",
    arguments: [
      (["get", "http://h/f", "--help"], "Usage: dray get"), (["get", "--help", "http"], "header fields and HTTP"),
      (["get", "--help", "--all"], "--post303"), (["--help"], "Usage: dray <command>"), ([], "Usage: dray <command>"),
      (["cookies", "add", "-h"], "Usage: dray cookies add"), (["cookies", "remove", "-h"], "Also: dray cookies rm"),
      (["config"], "Usage: dray config"),
      (["get", "--help", "xyzzy"], "Usage: dray get"),
    ] as [([String], String)])
  func flag(_ typed: [String], _ part: String) throws {
    let (words, isStrict) = HelpRequest.words(typed)
    #expect(try request.page(words, isStrict: isStrict).contains(part))
  }
}
