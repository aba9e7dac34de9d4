// Notifications: by notify-send, by the terminal, by its bell.

import FaultServer
import Foundation
import Testing

extension Sandbox {
  /// Creates an executable script. The test program must not write it itself: a concurrent child of another test may
  /// hold it open for writing, and then it cannot be executed.
  func install(_ script: String, at path: String) async throws {
    let source = try write(script, to: "../streams/script-\(UUID().uuidString)")
    expect(try await tool("install", ["-m", "755", source, path]), exits: 0)
  }
}

@Suite("Notification")
struct NotificationTests {
  @Test("notify-send is given a title and a harmless line, once for a run")
  func notifySend() async throws {
    try await Sandbox.use { sandbox in
      for path in ["/a", "/b"] { sandbox.server[path] = .init(AnswerCase.version) }
      let directory = sandbox.path("bin")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try await sandbox.install(
        "#!/bin/sh\nprintf '%s|' \"$@\" >> \"\(sandbox.path("told"))\"\n", at: directory + "/notify-send")
      // Without xdg-open, so that there is no button.
      let variables = ["PATH": directory, "DISPLAY": ":9"]
      let get = ["get", "--notify", sandbox.server.url("/a")]
      expect(try await sandbox.dray(get + ["-o", "x<b>&"], with: variables), exits: 0)
      expect(
        try await sandbox.dray(get + [sandbox.server.url("/b"), "--notify-after", "1h"], with: variables), exits: 0)
      expect(try await sandbox.dray(["get", sandbox.server.url("/b"), "-o", "c"], with: variables), exits: 0)
      #expect(sandbox.read("told") == "--app-name=dray|--|dray: done|x&lt;b>&amp; is complete|")
    }
  }

  @Test("a click on the button opens the folder, after dray has ended; an old notify-send shows it without")
  func folder() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a"] = .init(AnswerCase.version)
      let (directory, told) = (sandbox.path("../tools"), sandbox.path("../told"))
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try await sandbox.install(
        "#!/bin/sh\nprintf '%s|' \"$@\" >> \"\(told)\"\necho open\n", at: directory + "/notify-send")
      try await sandbox.install("#!/bin/sh\nprintf '<%s>' \"$1\" >> \"\(told)\"\n", at: directory + "/xdg-open")
      let variables = ["PATH": directory, "DISPLAY": ":9"]
      expect(try await sandbox.dray(["get", "--notify", sandbox.server.url("/a")], with: variables), exits: 0)
      let first =
        "--app-name=dray|--icon=dray|--wait|--action=open=Open folder|--|dray: done|a is complete|<\(sandbox.downloads)>"
      try await waitUntil("the folder is opened", every: 0.05) { sandbox.read("../told") == first }
      try await sandbox.install(
        "#!/bin/sh\ncase $2 in --icon*) exit 1 ;; esac\nprintf '%s|' \"$@\" >> \"\(told)\"\n",
        at: directory + "/notify-send")
      expect(
        try await sandbox.dray(["get", "--notify", sandbox.server.url("/a"), "-o", "b"], with: variables), exits: 0)
      #expect(sandbox.read("../told") == first + "--app-name=dray|--|dray: done|b is complete|")
    }
  }

  @Test("without notify-send the terminal is notified, and a name cannot end the sequence (P8)")
  func terminal() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(
        ["get", "--notify", "--bell", sandbox.server.url("/f"), "-o", "a\u{1B}\\b\u{7};c"], on: terminal)
      _ = try await program.finish(on: terminal)
      let text = terminal.text
      #expect(text.contains("\u{1B}]777;notify;dray: done;a\\b;c is complete\u{1B}\\"), "\(text.debugDescription)")
      #expect(text.contains("\u{1B}]9;dray: done: a\\b;c is complete\u{1B}\\"))
      #expect(text.filter { $0 == "\u{7}" }.count == 1)
    }
  }

  @Test("no notification without a request, and none without a terminal")
  func quiet() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let finished = try await sandbox.dray("get", "--notify", "--bell", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      #expect(!finished.text.contains("\u{1B}") && !finished.text.contains("\u{7}"))
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["get", sandbox.server.url("/f"), "-o", "other"], on: terminal)
      #expect(try await program.finish(on: terminal) == .code(0))
      let text = terminal.text
      #expect(!text.contains("\u{7}") && !text.contains("notify"), "\(text.debugDescription)")
    }
  }
}
