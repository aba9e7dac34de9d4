// Completions and manual page: what is committed is what the program makes, and the real tools take it.

import ArgumentParser
import DrayCore
import DrayKit
import DrayWire
import Foundation
import Testing

@testable import DrayCommands

/// The generator of ArgumentParser keeps static state, so these run one after the other.
@Suite("Reference", .serialized)
struct ReferenceTests {
  /// The repository, found from this file: the nearest directory above it that has the manual page's.
  private func root(_ file: String = #filePath) throws -> URL {
    var directory = URL(fileURLWithPath: file).resolvingSymlinksInPath().deletingLastPathComponent()
    while directory.path != "/" {
      if FileManager.default.fileExists(atPath: directory.path + "/man/dray.1") { return directory }
      directory.deleteLastPathComponent()
    }
    throw Missing(what: "man/dray.1 above \(file)")
  }

  private struct Missing: Error, CustomStringConvertible {
    let what: String
    var description: String { "\(what) is missing" }
  }

  /// Runs a tool.
  /// - Returns: its status and all that it said.
  private func run(_ tool: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static func isInstalled(_ tool: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
  }

  @Test("the committed files are what the program makes; `make generate` renews them")
  func committed() throws {
    let root = try root()
    for file in try ReferenceFile.all(DrayRoot.self) {
      let committed = try String(contentsOf: root.appendingPathComponent(file.path), encoding: .utf8)
      #expect(committed == file.text, "\(file.path) is out of date")
    }
  }

  @Test("mandoc finds nothing wrong", .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
  func lint() throws {
    let result = try run("mandoc", ["-Tlint", try root().path + "/man/dray.1"])
    #expect(result.status == 0 && result.text.isEmpty, "\(result.text)")
  }

  @Test("bash takes its script", .enabled(if: isInstalled("bash"), "bash is not installed"))
  func bash() throws {
    let script = try root().path + "/completions/dray.bash"
    let ask = """
      source "$1" && complete -p dray && COMP_WORDS=(dray list --state "") COMP_CWORD=3 COMP_LINE="dray list --state " \
      COMP_POINT=18 && _dray dray "" --state; echo "${COMPREPLY[@]}"
      """
    let result = try run("bash", ["--norc", "-c", ask, "bash", script])
    #expect(result.text.contains("complete") && result.text.contains("queued"), "\(result.text)")
  }

  @Test("zsh takes its script", .enabled(if: isInstalled("zsh"), "zsh is not installed"))
  func zsh() throws {
    let script = try root().path + "/completions/dray.zsh"
    let ask = "autoload -Uz compinit; compinit -u -D; source $1; print -r -- $+functions[_dray] $_comps[dray]"
    let result = try run("zsh", ["-f", "-c", ask, "zsh", script])
    #expect(result.text.hasPrefix("1") && result.status == 0, "\(result.text)")
  }

  @Test("fish takes its script", .enabled(if: isInstalled("fish"), "fish is not installed"))
  func fish() throws {
    let script = try root().path + "/completions/dray.fish"
    let result = try run("fish", ["--no-config", "-c", "source '\(script)'; complete -c dray"])
    #expect(
      result.status == 0 && result.text.contains("interrupted") && !result.text.contains("dray.fish (line"),
      "\(result.text)")
  }

  @Test("every exit status, event and field of the list is on the page")
  func pageIsComplete() throws {
    let page = ManualPage.text(try CommandReference.read(DrayRoot.self))
    let table = try #require(ManualText.sections.first { $0.title == "EXIT STATUS" }?.body)
    for status in DrayCore.ExitStatus.allCases { #expect(table.contains("\(status.rawValue)"), "\(status)") }
    for kind in Failure.Kind.allCases { #expect(FormatReference.text.contains(kind.rawValue), "\(kind)") }
    for state in JobState.allCases { #expect(page.contains(state.rawValue)) }
    var json = JSONText()
    let url = try RequestURL.parse("http://h/f").url
    let job = Job(
      id: 1, uuid: UUID(), specification: JobSpecification(request: TransferRequest(url: url), directory: "/d"),
      addedAt: 0)
    json.object { JobFacts(job, live: nil, names: .plain, isFile: { _ in false }).writeFields(to: &$0) }
    let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
    for field in try #require(object).keys { #expect(FormatReference.text.contains("`\(field)`"), "\(field)") }
    for option in LineOptions.names + JobLine.names { #expect(page.contains(option.replacing("-", with: "\\-"))) }
  }

  @Test("every command and every option has help")
  func helped() throws {
    for command in try CommandReference.read(DrayRoot.self).visibleSubcommands {
      #expect(command.abstract?.hasSuffix(".") == true, "\(command.commandName)")
      for argument in command.visibleArguments {
        #expect(argument.abstract?.isEmpty == false, "\(command.commandName) \(argument.valueName ?? "")")
      }
    }
  }
}
