// Bad input is refused before anything is touched: exit 2, one line, nothing created.

import FaultServer
import Foundation
import Testing

@Suite("Bad input")
struct BadInputTests {
  struct Input: Sendable, CustomTestStringConvertible {
    let what: String
    let arguments: [String]
    var standardInput: String?
    /// Part of the expected message.
    var says: String?
    var testDescription: String { what }
  }

  private static let good = "http://127.0.0.1:9/f"
  private static let sha = String(repeating: "a", count: 64)

  static let table: [Input] =
    [
      Input(what: "an unknown scheme", arguments: ["get", "gopher://127.0.0.1/f"], says: "gopher"),
      Input(what: "javascript", arguments: ["get", "javascript:alert(1)"]),
      Input(what: "no host", arguments: ["get", "http:///f"], says: "host"),
      Input(what: "an empty host with a port", arguments: ["get", "http://:80/f"]),
      Input(what: "a port that is none", arguments: ["get", "http://127.0.0.1:99999/f"], says: "99999"),
      Input(what: "no URL", arguments: ["get"]),
      Input(what: "an empty URL", arguments: ["get", ""]),
      Input(what: "a newline in the URL", arguments: ["get", "http://127.0.0.1:9/a\nb"]),
      Input(what: "an escape in the URL", arguments: ["get", "http://127.0.0.1:9/a\u{1B}[2Jb"]),
      Input(what: "one good URL and a bad one", arguments: ["get", good, "gopher://x/"]),
      Input(what: "-o with several URLs", arguments: ["get", "-o", "x", good, good + "2"], says: "-o"),
      Input(what: "-o with a directory in it that leads out", arguments: ["get", "-o", "", good]),
      Input(what: "an unknown option", arguments: ["get", "--no-such-option", good], says: "no-such-option"),
      Input(what: "an unknown command", arguments: ["fetch-it", good]),
      Input(
        what: "an unknown conflict way", arguments: ["get", "--on-conflict", "explode", good], says: "rename"),
      Input(what: "an unknown resume way", arguments: ["get", "--resume", "maybe", good], says: "always"),
      Input(
        what: "a digest of the wrong length", arguments: ["get", "--checksum", "sha-256=abcd", good],
        says: "64"),
      Input(
        what: "a digest that is not hexadecimal", arguments: ["get", "--checksum", "sha-256=\(sha.dropLast())z", good]),
      Input(
        what: "an unknown digest", arguments: ["get", "--checksum", "sha-13=\(sha)", good], says: "sha-13"),
      Input(
        what: "a proxy that cannot be parsed", arguments: ["get", "--proxy", "::::", good], says: "proxy"),
      Input(what: "a header without colon", arguments: ["get", "-H", "nonsense", good]),
      Input(what: "a header with a newline", arguments: ["get", "-H", "X: a\r\nY: b", good]),
      Input(what: "zero transfers at once", arguments: ["get", "-j", "0", good]),
      Input(what: "an unknown progress way", arguments: ["get", "--progress", "dance", good], says: "json"),
      Input(what: "an unknown state", arguments: ["list", "--state", "asleep"], says: "queued"),
      Input(
        what: "a list that is not there", arguments: ["get", "-i", "no-such-list"], says: "no-such-list"),
      Input(what: "a list that is a directory", arguments: ["get", "-i", "."]),
      Input(what: "an empty list", arguments: ["get", "-i", "-"], standardInput: ""),
      Input(
        what: "a list of blank lines and comments", arguments: ["get", "-i", "-"], standardInput: "\n# x\n\n"),
      Input(
        what: "a list whose third line is bad", arguments: ["get", "-i", "-"],
        standardInput: "\(good)\n\(good)2\ngopher://x/\n", says: "3"),
      Input(
        what: "a list with an unknown option", arguments: ["get", "-i", "-"],
        standardInput: "\(good)\n  no-such=1\n", says: "2"),
      Input(
        what: "a list with a bad digest", arguments: ["get", "-i", "-"],
        standardInput: "\(good)\n  checksum=sha-256=12\n", says: "2"),
      Input(
        what: "a list that begins with an option", arguments: ["get", "-i", "-"],
        standardInput: "  out=x\n\(good)\n", says: "1"),
      Input(what: "-d that is a file", arguments: ["get", "-d", "/etc/passwd", good], says: "/etc/passwd"),
    ]
    + ["-5", "abc", "1Q", "", "1.5.5M", "99999999999999999999G"].map {
      Input(
        what: "--limit-rate \($0.debugDescription)", arguments: ["get", "--limit-rate=\($0)", good],
        says: "rate")
    }
    + ["0", "65", "-1", "2.5", "many", "", "99999999999999999999"].map {
      Input(what: "-x \($0)", arguments: ["get", "--max-connections=\($0)", good], says: "max-connections")
    }
    + [[good], ["--data", "x"]].map {
      Input(what: "--mirror beside \($0)", arguments: ["add", "--mirror", "http://m/f", good] + $0, says: "--mirror")
    }
    + ["-1", "many"].map {
      Input(what: "--retries \($0)", arguments: ["get", "--retries=\($0)", good])
    }

  @Test("refused with 2, in one line, and nothing is touched", arguments: table)
  func refused(_ input: Input) async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.dray(input.arguments, input: input.standardInput)
      expect(finished, exits: 2, saying: input.says)
      #expect(finished.output.isEmpty, "\(finished)")
      // Only the usage may accompany the line of the error.
      let lines = finished.errors.split(separator: "\n").filter { line in
        !line.hasPrefix("Usage:") && !line.hasPrefix("Help:") && !line.contains("See 'dray")
          && !line.hasPrefix("  ")
      }
      #expect(lines.count == 1, "\(finished)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.home), "\(finished)")
      sandbox.expectNoFiles(finished)
    }
  }

  @Test(
    "an id that does not exist is 2, for every command that takes one",
    arguments: [
      ["show", "42"], ["pause", "42"], ["resume", "42"], ["retry", "42"], ["remove", "42"],
      ["set-url", "42", "http://h/f"],
      ["show", "x"], ["pause", "-1"], ["watch", "42"],
    ])
  func noSuchJob(_ arguments: [String]) async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray(arguments), exits: 2)
      #expect(try await sandbox.onlyJob().state == "queued")
    }
  }

  @Test("one unknown id among valid ones: no job is touched")
  func oneBadId() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let id = try await sandbox.onlyJob().id
      expect(try await sandbox.dray("pause", "\(id)", "99"), exits: 2)
      #expect(try await sandbox.onlyJob().state == "queued")
    }
  }
}
