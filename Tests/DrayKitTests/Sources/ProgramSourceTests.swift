// Sources by programs: what a run means, and how programs run: input, environment, limits, ends.

import DrayCore
import DrayDocuments
import Foundation
import Testing

@testable import DrayKit

/// A client for sources that ask no server.
private struct NoServer: SourceClient {
  var environment: [String: String] = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
  var places: TokenPlaces { TokenPlaces(environment: environment, home: nil) { _ in nil } }

  func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
    throw Failure(.network, "the server", "there is none")
  }
}

@Suite("Sources by programs")
struct ProgramSourceTests {
  private static let name = SourceName(scheme: "reports", rest: "2026")
  private static let file = #"{"path":"f","url":"https://h.example/f"}"#

  private static func program(_ script: String, timeout: Double = 30) -> SourceProgram {
    var program = SourceProgram(scheme: "reports", command: ["/bin/sh", "-c", script])
    program.timeout = timeout
    return program
  }

  private func find(_ program: SourceProgram, _ client: NoServer = NoServer()) async throws -> SourceAnswer {
    try await ProgramSource(program, environment: client.environment).find(Self.name, client)
  }

  // MARK: What a run means

  struct Row: Sendable, CustomTestStringConvertible {
    var run: SourceProgram.Run
    var kind = Failure.Kind.other
    var recovery = Failure.Recovery.keep
    var says: String
    var testDescription: String { says }
  }

  private static func run(
    _ ending: HookReport.Ending, _ output: String = "", _ remarks: [String] = [], isCut: Bool = false
  ) -> SourceProgram.Run {
    SourceProgram.Run(ending: ending, output: Array(output.utf8), isCut: isCut, remarks: remarks)
  }

  static let failures: [Row] = [
    Row(run: run(.notStarted("no such program")), kind: .usage, says: "sh did not run: no such program"),
    Row(run: run(.timedOut(60), file), recovery: .retry, says: "sh took more than 1 min 00 s, and was stopped"),
    Row(
      run: run(.signalled(15), file, isCut: true), kind: .protocolViolation,
      says: "sh wrote more than 32 MiB, and was stopped"),
    Row(run: run(.exited(1), file, ["a", "oh"]), says: "sh ended with exit status 1: a | oh"),
    Row(run: run(.exited(1), "Traceback"), says: "sh ended with exit status 1"),
    Row(run: run(.signalled(9)), says: "sh was ended by signal 9"),
    Row(run: run(.exited(0), "", ["nothing there"]), says: "sh gave no file: nothing there"),
    Row(
      run: run(.exited(0), "hello"), kind: .protocolViolation, says: "sh gave an answer that cannot be used: line 1: "),
    Row(
      run: run(.exited(0), file + "\n" + file), kind: .protocolViolation, says: "line 2: another file has the same path"
    ),
    // The program's own words, whatever its exit status.
    Row(run: run(.exited(1), #"{"error":"log in first"}"#, ["x"]), says: "reports:2026: log in first"),
    Row(run: run(.exited(0), file + "\n" + #"{"error":"later","retry":true}"#), recovery: .retry, says: ": later"),
  ]

  @Test("each way to fail has a message, and keeps what was received", arguments: failures)
  func failure(_ row: Row) {
    #expect {
      _ = try ProgramSource.answer(of: row.run, Self.program(""), Self.name)
    } throws: { error in
      guard let failure = error as? Failure else { return false }
      return failure.kind == row.kind && failure.recovery == row.recovery && "\(failure)".contains(row.says)
        && failure.subject == "reports:2026"
    }
  }

  @Test("the program's messages become remarks")
  func remarks() throws {
    let answer = try ProgramSource.answer(
      of: Self.run(.exited(0), Self.file, ["slow today"]), Self.program(""), Self.name)
    #expect(answer.remarks == ["slow today"] && answer.entries.map(\.path) == ["f"])
  }

  @Test("advice of the program is advice, and secrets of a name are not shown")
  func words() {
    let name = SourceName(scheme: "reports", rest: "https://h.example/?token=PLANTED")
    let run = Self.run(.exited(0), #"{"error":"no","advice":"write {a}"}"#)
    #expect {
      _ = try ProgramSource.answer(of: run, Self.program(""), name)
    } throws: { error in
      guard let failure = error as? Failure else { return false }
      return failure.advice?.description == "write {a}" && !"\(failure)".contains("PLANTED")
    }
  }

  // MARK: How programs run

  @Test("a program gets the request, its own environment and no other, and no shell reads its arguments")
  func input() async throws {
    let script =
      #"read -r line; printf '{"path":"%s","url":"https://h.example/%s/%s/%s"}\n' "$1" "$A" "${B-none}" "$PWD""#
    var program = SourceProgram(scheme: "reports", command: ["/bin/sh", "-c", script, "sh", "a b;$(id)"])
    program.environment = ["A"]
    var client = NoServer()
    client.environment.merge(["A": "one", "B": "two", "DRAY_PASSWORD": "PLANTED"]) { $1 }
    let answer = try await find(program, client)
    #expect(answer.entries.first?.path == "a b;$(id)")
    #expect(answer.entries.first?.file.urls.first?.string.hasPrefix("https://h.example/one/none/") == true)

    let echo = #"IFS= read -r line; printf '{"error":"%s"}\n' "$(printf %s "$line" | tr -d '"{}')""#
    await #expect {
      _ = try await find(Self.program(echo))
    } throws: {
      ($0 as? Failure)?.reason == "version:1,action:find,name:reports:2026,scheme:reports,rest:2026"
    }
  }

  @Test("a program has its environment whether or not dray's own tokens may be used for the asker")
  func withoutPlaces() async throws {
    let script =
      #"[ "$A" = one ] || exit 1; printf '{"path":"f","url":"https://h.example/%s"}\n' "$A""#
    var program = Self.program(script)
    program.environment = ["A"]
    let environment = NoServer().environment.merging(["A": "one"]) { $1 }
    let source = ProgramSource(program, environment: environment)
    let reference = SourceReference(name: "reports:2026", path: "f")
    let link = ExpiredLink(
      name: Self.name, reference: reference, url: try RequestURL.parse("https://h.example/old").url, status: 403)
    let urls = try await source.renew(link, NoServer(environment: [:])).entries.flatMap(\.file.urls).map(\.string)
    #expect(urls == ["https://h.example/one"])
    #expect(ProgramSource(program).environment["PATH"] == ProcessInfo.processInfo.environment["PATH"])
  }

  @Test("the environment has the usual variables and the listed ones only")
  func environment() {
    var program = Self.program("")
    program.environment = ["REPORTS_TOKEN"]
    let all = [
      "PATH": "p", "HOME": "h", "LC_ALL": "C", "https_proxy": "x", "REPORTS_TOKEN": "t", "HF_TOKEN": "s",
      "AWS_SECRET_ACCESS_KEY": "s", "DRAY_PASSWORD": "s", "DRAY_HOME": "s", "LD_PRELOAD": "s", "SSH_AUTH_SOCK": "s",
    ]
    #expect(Set(program.variables(of: all).keys) == ["PATH", "HOME", "LC_ALL", "https_proxy", "REPORTS_TOKEN"])
  }

  @Test(
    "names of variables",
    arguments: [("A_1", true), ("_", true), ("", false), ("1A", false), ("A=B", false), ("DRAY_X", false)])
  func variables(_ name: String, _ isFine: Bool) {
    #expect((SourceProgram.objection(toVariable: name) == nil) == isFine)
  }

  @Test("a program that hangs is stopped with its children")
  func hangs() async throws {
    let directory = NSTemporaryDirectory() + "dray-program-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let script = "(trap '' TERM; exec sleep 600) & echo $! > \(directory)/p; mv \(directory)/p \(directory)/pid; wait"
    let start = ContinuousClock.now
    await #expect {
      _ = try await find(Self.program(script, timeout: 0.5))
    } throws: { ($0 as? Failure)?.reason.contains("took more than") ?? false }
    #expect(ContinuousClock.now - start < .seconds(20))
    let text = try String(contentsOfFile: directory + "/pid", encoding: .utf8)
    let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    // The system takes a moment to end a process that was killed.
    let isGone = await eventually {
      let stat = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      return stat == nil || stat?.contains(") Z") == true
    }
    #expect(isGone)
  }

  @Test("a cancelled task stops the program")
  func cancelled() async throws {
    let start = ContinuousClock.now
    let task = Task { try await find(Self.program("sleep 600")) }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    await #expect(throws: Failure.self) { _ = try await task.value }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("a program that never ends its output is stopped")
  func floods() async throws {
    await #expect {
      _ = try await find(Self.program("yes '{\"path\":\"f\"}'", timeout: 120))
    } throws: { ($0 as? Failure)?.reason.contains("wrote more than 32 MiB") ?? false }
  }

  @Test("messages are bounded, printable, and without secrets of URLs")
  func messages() async throws {
    let script = """
      i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i + 1)); done
      printf '\\033]0;x\\007 https://h.example/?token=PLANTED\\n' >&2; echo '\(Self.file)'
      """
    let remarks = try await find(Self.program(script)).remarks
    #expect(remarks.count == 20 && remarks.last == #"\u{1B}]0;x\u{7} https://h.example/?token=…"#, "\(remarks)")
  }

  @Test("what cannot be started", arguments: ["/no/such/program", "no-such-program-here", "/etc/passwd"])
  func missing(_ path: String) async throws {
    await #expect {
      _ = try await find(SourceProgram(scheme: "reports", command: [path]))
    } throws: { ($0 as? Failure)?.reason.contains("did not run") ?? false }
  }

  @Test("a program need not read its input")
  func ignoresInput() async throws {
    #expect(try await find(Self.program("exec <&-; echo '\(Self.file)'")).entries.count == 1)
  }

  // MARK: Renewing

  @Test("an expired link is asked for with its facts, and the answer must have the file")
  func renews() async throws {
    let script =
      #"read -r line; case $line in *'"action":"renew"'*'"path":"f"'*'"status":403'*) "#
      + "echo '\(Self.file)';; *) exit 1;; esac"
    let source = ProgramSource(Self.program(script))
    func link(_ path: String) throws -> ExpiredLink {
      ExpiredLink(
        name: Self.name, reference: SourceReference(name: "reports:2026", path: path),
        url: try RequestURL.parse("https://h.example/old").url, status: 403)
    }
    #expect(try await source.renew(try link("f"), NoServer()).entries.map(\.path) == ["f"])
    let other = ProgramSource(Self.program("echo '\(Self.file)'"))
    await #expect {
      _ = try await other.renew(try link("g"), NoServer())
    } throws: { ($0 as? Failure)?.reason == "sh gave no new link of g, but 1 other file" }
  }

  @Test("a name without anything after its scheme is refused before the program runs")
  func empty() async throws {
    await #expect {
      _ = try await ProgramSource(Self.program("exit 7")).find(SourceName(scheme: "reports", rest: ""), NoServer())
    } throws: { ($0 as? Failure)?.kind == .usage }
  }
}
