// The log: its lines, omitted lines, and the rotation of its file.

import DrayCore
import Foundation
import Logging
import Posix
import Testing

@testable import DrayServer

@Suite struct ServiceLogTests {
  private static func use(_ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "dray-log-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  @Test(
    arguments: [
      (ServiceLog.Place.journal, Logger.Level.warning, "<4>a\n"), (.journal, .debug, "<7>a\n"),
      (.terminal, .info, "dray: a\n"),
    ] as [(ServiceLog.Place, Logger.Level, String)])
  func lines(place: ServiceLog.Place, level: Logger.Level, line: String) {
    #expect(LogLine.text(level, "a", time: 0, place) == line)
  }

  @Test func whatIsNoLineDoesNotBecomeOne() {
    let line = LogLine.text(.info, "a\nforged\u{1B}[2J", time: 0, .file("/f"))
    #expect(line.hasPrefix("1970-01-0") || line.hasPrefix("1969-12-31"))
    #expect(line.count { $0 == "\n" } == 1 && !line.contains("\u{1B}"))
  }

  @Test func whatMattersLessIsLeftOut() throws {
    try Self.use { directory in
      let path = directory + "/log"
      let log = try ServiceLog.logger(.file(path), level: .warning)
      log.error("one")
      log.warning("two")
      log.info(
        {
          Issue.record("made"); return "three"
        }())
      ServiceLog.finish()
      #expect(Self.text(path).split(separator: "\n").map { $0.suffix(3) } == ["one", "two"])
      #expect(try System.ownership(of: path).mode & 0o777 == 0o600)
      // The next service continues the file.
      try ServiceLog.logger(.file(path), level: .info).info("four")
      ServiceLog.finish()
      #expect(Self.text(path).split(separator: "\n").count == 3)
    }
  }

  @Test func largeFilesAreRotated() throws {
    try Self.use { directory in
      let path = directory + "/log"
      var file = try LogFile(path)
      let line = String(repeating: "x", count: 99_999) + "\n"
      for _ in 0..<60 { file.write(line) }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
      #expect(names == ["log", "log.1", "log.2", "log.3"])
      for name in names { #expect(try System.node(directory + "/" + name).size < LogFile.most + 100_000) }
    }
  }

  @Test func aLinkIsNotWrittenThrough() throws {
    try Self.use { directory in
      try FileManager.default.createSymbolicLink(atPath: directory + "/log", withDestinationPath: directory + "/other")
      #expect(throws: Failure.self) { _ = try ServiceLog(.file(directory + "/log"), level: .info) }
    }
  }

  @Test func factsComeAfterTheText() throws {
    try Self.use { directory in
      var log = try ServiceLog.logger(.file(directory + "/log"), level: .info)
      log[metadataKey: "peer"] = "here"
      let other = log
      log[metadataKey: "peer"] = "there\nforged"
      log.info("one", metadata: ["job": "7"])
      other.info("two")
      ServiceLog.finish()
      let lines = Self.text(directory + "/log").split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasSuffix(" info [7] one peer=there\\nforged") == true, "\(lines)")
      #expect(lines.last?.hasSuffix(" info two peer=here") == true)
    }
  }

  @Test(
    arguments: [
      ("complete", ["job": "7", "path": "/srv/f", "bytes": "300"], "[7] complete: /srv/f bytes=300"),
      ("failed", ["job": "7", "error": "http://h/f: 404 Not Found"], "[7] failed: http://h/f: 404 Not Found"),
      ("mirror dropped", ["mirror": "http://m", "reason": "it differs"], "mirror dropped: it differs mirror=http://m"),
      ("hook finished", ["output": "a \"b\""], #"hook finished output="a \"b\"""#),
      ("serving", [:], "serving"),
    ] as [(String, Logger.Metadata, String)])
  func eventsReadLikeMessages(text: String, metadata: Logger.Metadata, line: String) {
    #expect(LogLine.text(text, metadata) == line)
  }

  @Test func ofManyEqualLinesTheNumberIsWritten() {
    var budget = LineBudget()
    for _ in 0..<LineBudget.most { #expect(budget.take("a", now: 100) == .write) }
    #expect(budget.take("a", now: 110) == .count(dueAfter: 50))
    for now in 111..<3000 { #expect(budget.take("a", now: Double(now)) == .count(dueAfter: nil)) }
    #expect(budget.take("b", now: 110) == .write)
    #expect(budget.close("a") == 2890 && budget.close("a") == 0)
    #expect(budget.take("a", now: 3000) == .write)
    // Few lines are never counted.
    for number in 0..<100 { #expect(budget.take("c", now: Double(number) * 10) == .write) }
  }

  @Test func levels() {
    #expect(Logger.Level.offered.map(\.rawValue) == ["error", "warning", "info", "debug"])
    let priorities = Logger.Level.allCases.map(\.priority)
    #expect(priorities == priorities.sorted(by: >), "what matters more has the lower number")
  }
}
