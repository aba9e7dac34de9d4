// Completions of a command line: the words, their order, and their explanations.

import DrayCore
import Testing

@testable import DrayCommands

@Suite("Completion")
struct CompletionTests {
  private let root: CommandReference

  init() throws { root = try reference() }

  @Test(
    "the cursor's position",
    arguments: [
      ("|", .commands(path: [])), ("|g", .commands(path: [])), ("--no-config|", .commands(path: [])),
      ("|-", .options(path: [])), ("--config|", .file(prefix: "")), ("get|--config=x", .file(prefix: "--config=")),
      ("--host|", .nothing), ("|--host=n", .nothing), ("--host nas|", .commands(path: [])),
      ("--host nas get|-", .options(path: ["get"])), ("--host=nas pause|", .nothing),
      ("--config f get|-", .options(path: ["get"])), ("help|", .commands(path: [])),
      ("help get|", .help(path: ["get"])),
      ("help nonsense|", .nothing), ("help|--li", .help(path: [])), ("help cookies|", .commands(path: ["cookies"])),
      ("nonsense|", .nothing), ("cookies|", .commands(path: ["cookies"])),
      ("cookies list|", .value(path: ["cookies", "list"], name: "", position: 0, prefix: "")),
      ("rm|", .value(path: ["remove"], name: "", position: 0, prefix: "")),
      ("pause 1|", .value(path: ["pause"], name: "", position: 0, prefix: "")),
      ("show 1|", .nothing), ("set-url 1|", .value(path: ["set-url"], name: "", position: 1, prefix: "")),
      ("get|--", .options(path: ["get"])), ("get --|-x", .value(path: ["get"], name: "", position: 0, prefix: "")),
      ("get --on-conflict|", .value(path: ["get"], name: "--on-conflict", position: 0, prefix: "")),
      ("get --on-conf|", .value(path: ["get"], name: "--on-conflict", position: 0, prefix: "")),
      ("get --quiet|", .value(path: ["get"], name: "", position: 0, prefix: "")),
      ("get|--on-conflict=r", .value(path: ["get"], name: "--on-conflict", position: 0, prefix: "--on-conflict=")),
      ("get -o|x", .value(path: ["get"], name: "--output", position: 0, prefix: "")),
      ("get -qo|x", .value(path: ["get"], name: "--output", position: 0, prefix: "")),
      ("get|-qox", .value(path: ["get"], name: "--output", position: 0, prefix: "-qo")),
      ("get -ox|", .value(path: ["get"], name: "", position: 0, prefix: "")),
      ("get -o -q|--ver", .options(path: ["get"])), ("get --tries|", .nothing), ("get -t|", .nothing),
      ("get -t 3|", .value(path: ["get"], name: "", position: 0, prefix: "")), ("get|--quiet=", .nothing),
    ] as [(String, CompletionAim)])
  func aim(_ line: String, _ aim: CompletionAim) {
    let parts = line.split(separator: "|", omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ").map(String.init)
    #expect(CompletionAim.read(root, words, String(parts[1])) == aim, "\(line)")
  }

  /// The completions, without the lines for the script.
  private func offered(_ question: String...) -> [String] {
    let answer = CompletionAnswer(
      root: root,
      jobs: { states, start in
        [Candidate(word: "12", meaning: states.map(\.rawValue).sorted().joined(separator: " "))].filter {
          $0.word.hasPrefix(start)
        }
      })
    return answer.text(question).split(separator: "\n").filter { !$0.hasPrefix(":") }.map(String.init)
  }

  @Test(
    "only jobs that the command can act on",
    arguments: [
      (["pause"], "active interrupted queued"), (["resume"], "interrupted paused"), (["retry"], "failed interrupted"),
      (["open"], "complete"), (["path"], "complete"), (["path", "--part"], "active interrupted paused queued"),
      (["verify"], "complete"), (["add", "--after"], "active interrupted paused queued"),
      (["show"], "active complete failed interrupted paused queued"),
    ])
  func jobs(_ words: [String], _ states: String) {
    let answer = CompletionAnswer(
      root: root,
      jobs: { given, _ in [Candidate(word: "1", meaning: given.map(\.rawValue).sorted().joined(separator: " "))] })
    #expect(answer.text(words + [""]).contains("1\t\(states)\n"))
  }

  @Test("a named job is not offered again; comma lists keep their beginning")
  func named() {
    #expect(offered("pause", "") != [] && offered("pause", "12", "") == [] && offered("pause", "2") == [])
    #expect(offered("move", "3", "--after", "").count == 1)
    let answer = CompletionAnswer(root: root, jobs: { _, _ in [Candidate(word: "12"), Candidate(word: "13")] })
    #expect(answer.text(["add", "--after", "12,"]) == ":prefix 12,\n:group jobs\n13\n")
  }

  @Test("values are offered with their meaning")
  func values() {
    for option in ["--on-conflict", "--resume", "--verify", "--progress"] {
      let lines = offered("get", option, "")
      #expect(lines.count >= 3 && lines.allSatisfy { $0.split(separator: "\t").count == 2 }, "\(option): \(lines)")
    }
    #expect(offered("list", "--state", "").contains("paused\tstopped by you until it is resumed"))
    #expect(offered("list", "--sort", "").contains { $0.hasPrefix("queue\t") })
    #expect(offered("limit", "") == ["off", "auto"])
  }

  @Test("usual options come first; a given option is offered again only if it may be repeated")
  func options() {
    let all = offered("get", "--").map { String($0.prefix { $0 != "\t" }) }
    #expect(Array(all.prefix(3)) == ["--head", "--output", "--dir"] && all.contains("--post303"))
    #expect(Set(all).count == all.count)
    let rest = offered("get", "--max-time", "9", "-H", "A: b", "--").map { String($0.prefix { $0 != "\t" }) }
    #expect(!rest.contains("--max-time") && rest.contains("--header"))
    let explained = offered("help", "--").map { String($0.prefix { $0 != "\t" }) }
    #expect(explained.contains("--limit-rate") && explained.contains("--keep-credentials"))
    #expect(Set(explained).count == explained.count)
  }

  @Test("for any line, each line of the answer is a word and its meaning")
  func shape() {
    for command in root.visibleSubcommands {
      for question in [[command.commandName, ""], [command.commandName, "--"], ["help", command.commandName, ""]] {
        let text = CompletionAnswer(root: root, jobs: { _, _ in [] }).text(question)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
          #expect(!line.isEmpty && line.count { $0 == "\t" } <= 1, "\(question): \(line)")
        }
      }
    }
  }

  @Test("completions of a definition are requested the way the parser expects")
  func custom() throws {
    let own = CommandReference(
      commandName: "dray",
      subcommands: [
        CommandReference(
          commandName: "pick",
          arguments: [
            ArgumentReference(
              kind: "option", shouldDisplay: true, isOptional: true, isRepeating: false,
              names: [.init(kind: "long", name: "colour")], valueName: "colour",
              completionKind: .init(name: "custom"))
          ])
      ])
    let answer = CompletionAnswer(root: own, custom: { $0 })
    #expect(answer.text(["pick", "--colour", "r"]) == "pick\n--\n--colour\n2\n1\npick\n--colour\nr\n")
  }
}
