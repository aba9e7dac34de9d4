// aria2's table of results and its exit statuses.

import DrayKit
import Foundation
import TerminalUI
import Testing

@testable import DrayCommands

@Suite("Results of aria2c")
struct AriaResultsTests {
  private static func event(_ id: JobID, _ kind: JobEvent.Kind, at time: Double = 0) -> JobEvent {
    JobEvent(id: id, time: time, kind: kind)
  }

  private static let notFound = Failure(.status, "http://h/g", "404 Not Found", httpStatus: 404)

  @Test("the table has aria2's form")
  func table() {
    let results = AriaResults()
    results.record(Self.event(1, .started(attempt: 1), at: 10))
    results.record(Self.event(1, .complete(path: "/d/f", size: 3 << 20, digest: nil, note: nil), at: 12))
    results.record(Self.event(300, .failed(Self.notFound)))
    let lines = [
      "", "Download Results:", "gid   |stat|avg speed  |path/URI",
      "======+====+===========+=======================================================",
      "000001|OK  |   1.5MiB/s|/d/f", "00012c|ERR |       0B/s|http://h/g", "", "Status Legend:",
      "(OK):download completed.(ERR):error occurred.", "",
    ]
    #expect(results.table("default") == lines.joined(separator: "\n"))
    #expect(results.table("hide").isEmpty)
    #expect(results.table("full").contains("path/URI\n======+====+===========+===+="))
    #expect(results.table("full").contains("\n000001|OK  |   1.5MiB/s|100|/d/f\n00012c|ERR |       0B/s|  -|http"))
  }

  @Test func noDownloadsHaveNoTable() {
    #expect(AriaResults().table("default").isEmpty)
  }

  @Test("the last event of a job counts, and a name cannot change the terminal")
  func events() {
    let results = AriaResults()
    results.record(Self.event(1, .interrupted(Self.notFound)))
    results.record(Self.event(1, .skipped(path: "/d/\u{1B}[31m")))
    results.record(complete: "/d/g", 2)
    results.record(Self.event(3, .interrupted(nil)))
    results.record(Self.event(4, .removed))
    #expect(results.rows.map(\.outcome) == [.complete, .complete, .inProgress, .removed])
    #expect(!results.table("default").contains("\u{1B}"))
  }

  @Test("the jobs that did not end well are unfinished, also those that did not begin")
  func unfinished() {
    let results = AriaResults()
    #expect(!results.isAccepted)
    for id in [1, 2, 3, 4] as [JobID] { results.add(id) }
    results.record(Self.event(1, .complete(path: "/d/f", size: 1, digest: nil, note: nil)))
    results.record(Self.event(2, .failed(Self.notFound)))
    results.record(Self.event(4, .removed))
    #expect(results.jobs(all: false) == [2, 3])
    #expect(results.jobs(all: true) == [1, 2, 3, 4])
    #expect(results.isAccepted)
  }

  @Test("a session is a list that dray and aria2 read")
  func session() throws {
    let jobs = try specifications([
      "--dir", "/d", "--output", "f", "--header", "A: 1", "--user", "ann:x", "--max-connections", "4", "--mirror",
      "https://m.example/f", "https://h.example/f",
    ])
    let text = AriaSession.text(jobs)
    #expect(text.hasPrefix("https://h.example/f\thttps://m.example/f\n dir=/d\n out=f\n header=A: 1\n"))
    var list = InputList()
    try list.read(Array(text.utf8), name: "session")
    let options = list.options(of: list.entries[0])
    #expect(options.dir == "/d" && options.out == "f" && options.user == "ann" && options.password == "x")
    #expect(options["max-connections"] == "4" && options.mirrors.count == 1 && list.remarks.isEmpty)
    #expect(AriaSession.text([]).isEmpty)
  }

  @Test("a session has what an entry set: proxy, limits, tries, policy, certificates")
  func sessionOptions() throws {
    let arguments = [
      "--no-mtime", "--proxy", "http://p:1", "--limit-rate", "1M", "--retries", "2", "--retry-wait", "7",
      "--stall-timeout", "9",
      "--on-conflict", "overwrite", "--insecure", "--no-cache", "https://h.example/f",
    ]
    let text = AriaSession.text(try specifications(arguments))
    var list = InputList()
    try list.read(Array(text.utf8), name: "session")
    let options = list.options(of: list.entries[0])
    let expected = [
      "proxy": "http://p:1", "limit-rate": "1048576", "retries": "2", "retry-wait": "7", "stall-timeout": "9",
      "on-conflict": "overwrite", "insecure": "yes", "no-cache": "yes",
    ]
    for (name, value) in expected { #expect(options[name] == value, "\(name) in \(text)") }
    #expect(list.remarks.isEmpty, "\(list.remarks)")
    let plain = try specifications(["--no-mtime", "--on-conflict", "rename", "--dir", "/d", "https://h.example/f"])
    #expect(AriaSession.text(plain) == "https://h.example/f\n dir=/d\n")
    let kept = try specifications(["--no-mtime", "--dir", "/d", "https://h.example/f"])
    #expect(AriaSession.text(kept) == "https://h.example/f\n dir=/d\n auto-file-renaming=false\n")
  }

  @Test("a session is written through no other file, and a failure has aria2's words")
  func writing() throws {
    let directory = NSTemporaryDirectory() + "dray-session-\(UUID().uuidString)"
    let files = FileManager.default
    try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: directory) }
    let (others, mine) = (["s.new", ".s.new", "s__temp"], Data("mine".utf8))
    for name in others { try mine.write(to: Foundation.URL(fileURLWithPath: "\(directory)/\(name)")) }
    let (jobs, path) = (try specifications(["https://h.example/f"]), directory + "/s")
    for _ in 0..<2 { try AriaSession.write(jobs, to: path) }
    #expect(files.contents(atPath: path) == Data(AriaSession.text(jobs).utf8))
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try files.contentsOfDirectory(atPath: directory).sorted() == (others + ["s"]).sorted())
    for name in others { #expect(files.contents(atPath: "\(directory)/\(name)") == mine) }
    for path in [directory, directory + "/none/s"] {
      let failure = try #require(throws: Failure.self) { try AriaSession.write(jobs, to: path) }
      let message = AriaSession.failure(failure, path).message
      #expect(message.hasPrefix("Failed to serialize session to '\(path)': "), "\(message)")
    }
  }

  @Test(
    "sizes are shortened as aria2 does it",
    arguments: [
      (0, "0B/s"), (921, "921B/s"), (922, "0.9KiB/s"), (1024, "1.0KiB/s"), (20 << 10, "20KiB/s"),
      (943 << 10, "0.9MiB/s"),
      (1_200_000, "1.1MiB/s"), (150 << 20, "150MiB/s"), (2 << 40, "2048GiB/s"), (-1, "0B/s"),
    ] as [(Int64, String)])
  func sizes(_ bytes: Int64, _ text: String) {
    #expect(AriaResults.size(bytes) + "/s" == text)
  }

  @Test("a line of progress has aria2's form")
  func readouts() {
    var one = BarItem(id: 7, name: "f", state: .active, received: 816 << 10, size: 3_000_000, rate: 415_744, eta: 5)
    #expect(AriaReadout.line([one]) == "[#000007 816KiB/2.8MiB(27%) CN:1 DL:406KiB ETA:5s]")
    (one.eta, one.connections) = (3782, 4)
    #expect(AriaReadout.line([one])?.hasSuffix(" CN:4 DL:406KiB ETA:1h3m2s]") == true)
    let other = BarItem(id: 8, name: "g", state: .connecting)
    #expect(AriaReadout.line([other]) == "[#000008 0B/0B CN:1 DL:0B]")
    #expect(AriaReadout.line([one, other]) == "[DL:406KiB][#000007 816KiB/2.8MiB(27%)][#000008 0B/0B]")
    #expect(AriaReadout.line(Array(repeating: other, count: 7))?.hasSuffix("[#000008 0B/0B](+2)") == true)
    #expect(AriaReadout.line([]) == nil)
  }

  @Test("the exit status is that of the last failure")
  func statuses() {
    let results = AriaResults()
    #expect(results.exitStatus(.success) == 0)
    #expect(results.exitStatus(.usage) == 28)
    #expect(results.exitStatus(.network) == 6)
    #expect(results.exitStatus(.store) == 1)
    #expect(results.exitStatus(.interrupt) == 7)
    results.record(Self.event(1, .failed(Self.notFound)))
    #expect(results.exitStatus(.status) == 3)
    #expect(results.exitStatus(.terminate) == 3)
    results.record(Failure(.file, "/d/f", "it exists", advice: "use \(.onConflict) rename"))
    #expect(results.exitStatus(.file) == 13)
  }

  @Test(
    "the name of the program decides",
    arguments: [
      ("aria2c", true), ("/usr/lib/dray/aria2c", true), ("./aria2c", true), ("dray", false), ("aria2c/dray", false),
      ("aria2", false), ("", false),
    ])
  func names(_ path: String, _ isAria: Bool) {
    #expect(AriaProgram.isCalled(by: path) == isAria)
    #expect(!AriaProgram.isCalled(by: nil))
  }
}
