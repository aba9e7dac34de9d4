// Completions and manual pages: the committed files match the program's output, and the real tools accept them.

import ArgumentParser
import DrayCore
import DrayKit
import DrayWire
import Foundation
import TestSupport
import Testing

@testable import DrayCommands

@Suite("Reference")
struct ReferenceTests {
  /// The repository: the nearest directory above this file that has the manual page's directory.
  private func root(_ file: String = #filePath) throws -> URL {
    var directory = URL(fileURLWithPath: file).resolvingSymlinksInPath().deletingLastPathComponent()
    while directory.path != "/" {
      if FileManager.default.fileExists(atPath: directory.path + "/man/dray.1") { return directory }
      directory.deleteLastPathComponent()
    }
    throw Missing(what: "man/dray.1 above \(file)")
  }

  private func texts() throws -> ManualTexts { ManualTexts(directory: try root().path + "/docs/manual") }

  private func manual() throws -> Manual { Manual(root: try reference(), texts: try texts()) }

  private struct Missing: Error, CustomStringConvertible {
    let what: String
    var description: String { "\(what) is missing" }
  }

  /// Runs a tool.
  /// - Returns: Its status and its whole output.
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

  @Test("every command states its name: otherwise the parser derives it by reflection at each start")
  func names() {
    for type in DrayRoot.all { #expect(type.configuration.commandName != nil, "\(type)") }
  }

  @Test("the committed files are the program's output, and there are no others; `make generate` renews them")
  func committed() throws {
    let root = try root()
    let files = try ReferenceFile.all(DrayRoot.self, try texts())
    for file in files {
      let committed = try? String(contentsOf: root.appendingPathComponent(file.path), encoding: .utf8)
      #expect(committed == file.text, "\(file.path) is out of date")
    }
    for directory in ["man", "completions"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: root.path + "/" + directory)
      let made = files.filter { $0.path.hasPrefix(directory + "/") }.map {
        String($0.path.dropFirst(directory.count + 1))
      }
      #expect(Set(names) == Set(made), "\(directory)")
    }
  }

  /// Calls `body` with the pages in a separate directory.
  private func withPages(_ body: (_ directory: String, _ pages: [ManualPage]) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "dray-pages-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let pages = try manual().pages()
    for page in pages { try Data(page.source.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(page.file)")) }
    try body(directory, pages)
  }

  @Test("mandoc finds nothing wrong with any page", .needs(.programs("mandoc")))
  func lint() throws {
    try withPages { directory, pages in
      let result = try run("mandoc", ["-Tlint"] + pages.map { "\(directory)/\($0.file)" })
      // mandoc wants `.Os` without a name except in an operating system's own pages.
      let lines = result.text.split(separator: "\n").filter { !$0.contains("operating system explicitly specified") }
      #expect(lines.isEmpty, "\(lines)")
    }
  }

  @Test("dray(1) is readable", .needs(.programs("mandoc")))
  func overviewIsShort() throws {
    try withPages { directory, pages in
      let rendered = try run("mandoc", ["-T", "utf8", "-O", "width=80", "\(directory)/dray.1"]).text
      #expect((100...600).contains(rendered.split(separator: "\n", omittingEmptySubsequences: false).count))
      #expect(
        rendered.contains("DRAY(1)") && rendered.contains(DrayVersion.date) && rendered.contains(DrayVersion.text))
    }
  }

  @Test("each command has a page, with its options, its operands and its examples, and dray(1) names it")
  func everyCommand() throws {
    let root = try reference()
    let pages = try manual().pages()
    let overview = try #require(pages.first { $0.name == "dray" }).source
    for command in root.visibleSubcommands {
      let page = try #require(pages.first { $0.file == "dray-\(command.commandName).1" }, "\(command.commandName)")
        .source
      #expect(overview.contains("\\fB\(Mdoc.escape("dray-\(command.commandName)"))\\fR(1)"))
      for option in ([command] + command.visibleSubcommands).flatMap(\.visibleOptions) {
        for name in option.texts { #expect(page.contains("Fl " + Mdoc.escape(String(name.dropFirst()))), "\(name)") }
      }
      for example in CommandText(command.discussion).examples {
        #expect(page.contains(Mdoc.escape(example)), "\(example)")
      }
    }
  }

  @Test("every text for a page belongs to an existing page")
  func writtenSections() throws {
    let files = Set(try manual().pages().map { $0.file + ".txt" })
    let written = try FileManager.default.contentsOfDirectory(atPath: try texts().directory)
    for name in written { #expect(files.contains(name), "\(name)") }
    #expect(written.contains("dray.1.txt") && written.contains("dray-config.5.txt"))
  }

  @Test("a text that names an unknown value is refused")
  func unknownValues() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "dray-manual-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try "# A\n\nUp to @{patterns} URLs.\n\n# B\nx\n".write(
      to: directory.appending(path: "good.1.txt"), atomically: true, encoding: .utf8)
    try "# A\n@{nonsense}\n".write(to: directory.appending(path: "bad.1.txt"), atomically: true, encoding: .utf8)
    let texts = ManualTexts(directory: directory.path)
    let sections = try texts.sections("good.1")
    #expect(sections.map(\.title) == ["A", "B"])
    #expect(sections.first?.body == "\nUp to \(URLGlob.most) URLs.\n\n")
    #expect(throws: Failure.self) { try texts.sections("bad.1") }
    #expect(try texts.sections("absent.1").isEmpty)
  }

  @Test("every exit status, event and field of the list is in the manual")
  func pagesAreComplete() throws {
    let pages = try manual().pages()
    let formats = try #require(pages.first { $0.file == "dray-formats.7" }).source
    let table = try #require(try texts().sections("dray.1").first { $0.title == "EXIT STATUS" }?.body)
    let fields = try #require(try texts().sections("dray-formats.7").first { $0.title == "JSON" }?.body)
    for status in DrayCore.ExitStatus.allCases { #expect(table.contains("\(status.rawValue)"), "\(status)") }
    for kind in Failure.Kind.allCases { #expect(fields.contains(kind.rawValue), "\(kind)") }
    for state in JobState.allCases { #expect(formats.contains(state.rawValue)) }
    var json = JSONText()
    let url = try RequestURL.parse("http://h/f").url
    let job = Job(
      id: 1, uuid: UUID(), specification: JobSpecification(request: TransferRequest(url: url), directory: "/d"),
      addedAt: 0)
    json.object { JobFacts(job, live: nil, names: .plain, isFile: { _ in false }).writeFields(to: &$0) }
    let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
    for field in try #require(object).keys { #expect(fields.contains("`\(field)`"), "\(field)") }
    let settings = try #require(pages.first { $0.file == "dray-set.1" }).source
    for option in ListLine.names {
      #expect((formats + settings).contains(option.replacing("-", with: "\\-")), "\(option)")
    }
  }

  @Test("every command and every option has help")
  func helped() throws {
    for command in try reference().visibleSubcommands {
      #expect(command.abstract?.hasSuffix(".") == true, "\(command.commandName)")
      for argument in command.visibleArguments {
        #expect(argument.abstract?.isEmpty == false, "\(command.commandName) \(argument.valueName ?? "")")
      }
    }
  }
}
