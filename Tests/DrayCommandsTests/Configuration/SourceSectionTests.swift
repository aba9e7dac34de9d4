// The sections [source.NAME]: what they become, and what is refused.

import DrayCore
import DrayDocuments
import DrayKit
import Testing

@testable import DrayCommands

@Suite("Source sections")
struct SourceSectionTests {
  private func programs(_ text: String) throws -> [SourceProgram] {
    let document = try ConfigurationDocument.parse(text)
    let sources = try SourceSections.sources(document, ValuePaths(file: "/c/config.toml", home: "/home/u"))
    return sources.rows.compactMap { ($0 as? ProgramSource)?.program }
  }

  @Test("a program with everything, and one with the defaults")
  func whole() throws {
    let programs = try programs(
      """
      [source.reports]
      command = ["~/bin/reports", "~/list", "a b", "$(id)"]
      timeout = "2m"
      environment = ["REPORTS_USER"]
      [source.Video-2]
      command = ["python3", "v.py"]
      [source.near]
      command = ["./near"]
      timeout = 5
      """)
    #expect(programs.map(\.scheme) == ["reports", "video-2", "near"])
    #expect(
      programs.map(\.command) == [
        ["/home/u/bin/reports", "/home/u/list", "a b", "$(id)"], ["python3", "v.py"], ["/c/./near"],
      ])
    #expect(programs.map(\.timeout) == [120, 60, 5])
    #expect(programs.map(\.environment) == [["REPORTS_USER"], [], []])
  }

  @Test("a section is one of a source, and not of a command")
  func document() throws {
    let document = try ConfigurationDocument.parse("retries = 3\n[source.a-b]\ncommand = [\"x\"]\n")
    #expect(document.headings.map(\.section) == [.source("a-b")] && document.headings.map(\.line) == [2])
    #expect(document.entries.last?.section == .source("a-b"))
  }

  static let refused: [(String, String)] = [
    ("[source.http]\ncommand = [\"x\"]", "/c/config.toml:1: [source.http]"),
    ("[source.x]\ncommand = [\"x\"]", "/c/config.toml:1: [source.x]"),
    ("[source.\"a b\"]\ncommand = [\"x\"]", "lowercase letters"),
    ("[source.1a]\ncommand = [\"x\"]", "lowercase letters"),
    ("[source.ab]\ncommand = [\"x\"]\n[source.AB]\ncommand = [\"y\"]", "/c/config.toml:3: [source.AB]"),
    ("[source.ab]\ntimeout = 5", "its program is missing"), ("[source.ab]", "its program is missing"),
    ("[source.ab]\ncommand = \"x y\"", "/c/config.toml:2: command: it must be an array"),
    ("[source.ab]\ncommand = []", "name a program"), ("[source.ab]\ncommand = [\"\"]", "name a program"),
    ("[source.ab]\ncomand = [\"x\"]", "did you mean command?"),
    ("[source.ab]\ncommand = [\"x\"]\ntimeout = 0", "timeout"),
    ("[source.ab]\ncommand = [\"x\"]\ntimeout = \"2h\"", "at most an hour"),
    ("[source.ab]\ncommand = [\"x\"]\ntimeout = true", "must be a time"),
    ("[source.ab]\ncommand = [\"x\"]\nenvironment = \"A\"", "must be an array"),
    ("[source.ab]\ncommand = [\"x\"]\nenvironment = [\"A=B\"]", "is not the name of a variable"),
    ("[source.ab]\ncommand = [\"x\"]\nenvironment = [\"DRAY_PASSWORD\"]", "keeps its own variables"),
    ("[source]\ncommand = [\"x\"]", "write [source.NAME]"),
  ]

  @Test("errors name the place and the remedy", arguments: refused)
  func error(_ text: String, _ part: String) {
    #expect {
      _ = try programs(text)
    } throws: { error in
      guard let failure = error as? Failure else { return false }
      return failure.kind == .usage && "\(failure)".contains(part)
    }
  }
}
