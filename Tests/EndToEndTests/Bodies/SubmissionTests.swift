// Requests that are not safe to repeat, through the built program: repeated only if the server asks for it (P3, P7,
// P10).

import FaultServer
import Foundation
import Testing

@Suite("Submissions")
struct SubmissionTests {
  @Test(
    "a body follows 307 and 308 to another host, and 302 with --post302",
    arguments: [("307", ""), ("308", ""), ("302", "--post302")])
  func redirects(status: String, option: String) async throws {
    try await Sandbox.use { sandbox in
      let (first, second) = (try await Receiver(in: sandbox), try await Receiver(in: sandbox))
      let options = option.isEmpty ? [] : [option]
      let finished = try await sandbox.dray(
        ["get", "-o", "a", "-u", "me:PLANTED", "--data", "x=1"] + options + [
          "\(first.url)/\(status)?to=\(second.url)/end"
        ])
      expect(finished, exits: 0)
      let request = try #require(second.requests.first)
      #expect(request.method == "POST" && request.text == "x=1")
      #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
      #expect(request.headers["Authorization"] == nil)
    }
  }

  @Test("301, 302 and 303 turn a POST into a GET", arguments: ["301", "302", "303"])
  func turned(status: String) async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let url = "\(receiver.url)/\(status)?to=/end"
      expect(try await sandbox.dray("get", "-o", "a", "--data", "x=1", url), exits: 0)
      #expect(try receiver.requests.map(\.method) == ["POST", "GET"])
      expect(
        try await sandbox.dray("get", "-o", "b", "--max-redirs", "0", "--data", "x=1", url), exits: 7,
        saying: "redirects are not allowed")
      #expect(try receiver.requests.count == 3)
    }
  }

  @Test("a body is sent again from its start after a challenge", arguments: [300, 3 << 20])
  func challenged(size: Int64) async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let content = Content.generated(seed: 5, size: size)
      try content.write(toFileAt: sandbox.path("part.bin"))
      let arguments = ["get", "--digest", "-o", "a", "-F", "f=@part.bin", receiver.url + "/digest"]
      expect(try await sandbox.dray(arguments + ["-u", "u:p"]), exits: 0)
      let digest = Sandbox.sha256(content)
      #expect(try receiver.requests.last?.parts?.first?.sha256 == digest)
      #expect(sandbox.read("a") == "\(try receiver.requests.last?.length ?? 0) bytes\n")
      expect(
        try await sandbox.dray(["get", "--digest", "-o", "b", "-u", "u:wrong", "--data", "x", receiver.url + "/digest"]
        ),
        exits: 6)
      #expect(sandbox.names() == ["a", "part.bin"])
    }
  }

  @Test("P10 a POST from the queue that was cut off says so and asks")
  func cutOff() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      let added = try await sandbox.dray("add", "-o", "a", "--data", "x=1", receiver.url + "/cut")
      expect(added, exits: 0)
      #expect(sandbox.names(in: sandbox.home + "/bodies").count == 1)
      expect(try await sandbox.dray("run"), exits: 4, saying: "`dray resume 1` sends it again")
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted")
      #expect(job.error?.message.contains("may have taken effect") == true)
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(try receiver.requests.count == 1)
      // The message does not suggest another name, which would send the request twice.
      let again = try await sandbox.dray("get", "-o", "a", "--data", "x=1", receiver.url + "/cut")
      expect(again, exits: 3, saying: "`dray resume 1` sends it again, `dray remove 1` removes it")
      #expect(again.errors.contains("job 1, which is interrupted") && !again.errors.contains("with -"), "\(again)")
      #expect(sandbox.names(in: sandbox.home + "/bodies").count == 1)
      // The same command line again makes another job.
      expect(try await sandbox.dray("add", "-o", "b", "--data", "x=1", receiver.url + "/cut"), exits: 0)
      #expect(try await sandbox.jobs().count == 2)
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      expect(try await sandbox.dray("remove", "2"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 4)
      #expect(try receiver.requests.map(\.text) == ["x=1", "x=1"])
      expect(try await sandbox.dray("remove", "1"), exits: 0)
      #expect(sandbox.names(in: sandbox.home + "/bodies") == [])
    }
  }

  @Test("P3 P10 a runner killed while it sends leaves a whole job that asks the user", arguments: [SIGKILL, SIGINT])
  func stopped(signal: Int32) async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      try Content.generated(seed: 3, size: 24 << 20).write(toFileAt: sandbox.path("big.bin"))
      expect(try await sandbox.dray("add", "-o", "a", "-F", "f=@big.bin", receiver.url + "/slow"), exits: 0)
      // The job has its own copy of the body: later changes to the file do not matter.
      try FileManager.default.removeItem(atPath: sandbox.path("big.bin"))
      let program = try sandbox.start(["run"])
      try await program.wait(for: "the server to be reached") { receiver.isHolding }
      program.send(signal)
      _ = try await program.finish()
      try receiver.go()
      let after = try await sandbox.dray("run")
      expect(after, exits: 0)
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted", "\(after)")
      #expect(job.error?.message.contains("POST may have taken effect") == true)
      #expect(try receiver.requests.isEmpty, "it never came whole")
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      let digest = Sandbox.sha256(.generated(seed: 3, size: 24 << 20))
      #expect(try receiver.requests.first?.parts?.first?.sha256 == digest)
      #expect(sandbox.names() == ["a"])
      #expect(sandbox.names(in: sandbox.home + "/bodies") == [])
    }
  }

  @Test(
    "a body for another server is dropped with a message, or sent if the user allows it", arguments: [false, true])
  func anotherServer(_ isKept: Bool) async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      expect(try await sandbox.dray("add", "-o", "a", "--data", "x=1", "http://127.0.0.1:1/post"), exits: 0)
      let option = isKept ? ["--keep-credentials"] : []
      let moved = try await sandbox.dray(["set-url", "1", receiver.url + "/end"] + option)
      expect(moved, exits: 0)
      #expect(moved.errors.contains("the method POST and its body") != isKept, "\(moved)")
      #expect(sandbox.names(in: sandbox.home + "/bodies").count == (isKept ? 1 : 0))
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(try receiver.requests.map(\.method) == [isKept ? "POST" : "GET"])
      #expect(try receiver.requests.first?.text == (isKept ? "x=1" : ""))
      #expect(sandbox.names(in: sandbox.home + "/bodies") == [])
    }
  }

  @Test("P5 nothing is left of a refused body, and clean finds a body without a job")
  func strays() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      try sandbox.write("taken", to: "a")
      expect(try await sandbox.dray("get", "-o", "a", "--data", "x", receiver.url), exits: 3, saying: "exists")
      #expect(sandbox.names(in: sandbox.home + "/bodies") == [])
      let stray = sandbox.home + "/bodies/\(UUID().uuidString).body"
      try Data("x".utf8).write(to: URL(fileURLWithPath: stray))
      let cleaned = try await sandbox.dray("clean")
      expect(cleaned, exits: 0, saying: stray)
      #expect(try receiver.requests.isEmpty)
    }
  }

  @Test("P7 the content of a body is shown nowhere")
  func secrets() async throws {
    try await Sandbox.use { sandbox in
      let receiver = try await Receiver(in: sandbox)
      try sandbox.write("password=PLANTED", to: "secret")
      for options in [["--data", "@secret"], ["-F", "p=<secret"], ["--json-body", "\"PLANTED\""]] {
        let arguments = ["get", "-v", "--progress", "plain", "--on-conflict", "rename", "-o", "a"]
        let finished = try await sandbox.dray(arguments + options + [receiver.url + "/cut"])
        expect(finished, exits: 4)
        #expect(!finished.text.contains("PLANTED"), "\(finished)")
      }
      for arguments in [["list"], ["list", "--json"], ["show", "1"], ["show", "2", "--json"], ["run", "-v"]] {
        let finished = try await sandbox.dray(arguments)
        #expect(!finished.text.contains("PLANTED"), "\(finished)")
      }
      #expect(sandbox.names(in: sandbox.home + "/bodies").count == 3)
      for name in sandbox.names(in: sandbox.home + "/bodies") {
        #expect(sandbox.mode(of: sandbox.home + "/bodies/" + name) == 0o600)
      }
    }
  }
}
