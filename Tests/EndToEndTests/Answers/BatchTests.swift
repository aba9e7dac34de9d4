// Small files that are transferred as a batch, some with unusual answers: these leave the batch, and continue as
// ordinary transfers.

import Crypto
import FaultServer
import Foundation
import Testing

@Suite("Batches of small files")
struct BatchTests {
  /// Serves a file of generated content, and returns that.
  private func serve(_ name: String, _ sandbox: Sandbox, size: Int64 = 5000, answer: Answer? = nil) -> Content {
    let version = Version.named(name, size: size)
    sandbox.server["/" + name] = .init(version, script: answer.map { [$0] } ?? [])
    return version.content
  }

  @Test("whatever is not usual leaves the batch: each file is right, and nothing is requested twice")
  func leaving() async throws {
    try await Sandbox.use { sandbox in
      var files: [String: Content] = [:]
      for index in 0..<20 { files["plain\(index)"] = serve("plain\(index)", sandbox) }
      files["empty"] = serve("empty", sandbox, size: 0)
      files["edge"] = serve("edge", sandbox, size: 256 << 10)
      files["large"] = serve("large", sandbox, size: (256 << 10) + 1)
      files["chunked"] = serve("chunked", sandbox, answer: Answer { $0.framing = .chunked(.init()) })
      files["closed"] = serve("closed", sandbox, answer: Answer { $0.framing = .close })
      files["cookie"] = serve("cookie", sandbox, answer: Answer { $0.headers = ["Set-Cookie: a=b"] })
      files["early"] = serve("early", sandbox, answer: Answer { $0.interim = .init(103) })
      files["slow"] = serve("slow", sandbox, answer: Answer { $0.holds = [.stall(after: 1000, seconds: 1.5)] })
      _ = serve("missing", sandbox, answer: Answer.status(404))
      _ = serve("moved", sandbox, answer: Answer.redirect(to: "/landed"))
      let names = files.keys.sorted() + ["missing", "moved"]
      files["landed"] = serve("landed", sandbox)
      let list = names.map { sandbox.server.url("/" + $0) + "\n" }.joined()
      let run = try await sandbox.dray(["get", "-i", "-"], input: list)
      expect(run, exits: 8, saying: "404")
      sandbox.expectFiles(files, run)
      for name in names + ["landed"] {
        let count = sandbox.server.requests("/" + name).count
        #expect(count == 1, "\(name): \(run)")
      }
      let states = try await sandbox.jobs().map(\.state)
      let complete = states.filter { $0 == "complete" }.count
      #expect(complete == names.count - 1 && states.contains("failed"), "\(run)")
    }
  }

  @Test("a cut in a small file is continued, and a taken name is refused")
  func cutAndTaken() async throws {
    try await Sandbox.use { sandbox in
      var files: [String: Content] = [:]
      for index in 0..<10 { files["plain\(index)"] = serve("plain\(index)", sandbox) }
      let version = Version.named("cut", size: 200_000)
      sandbox.server["/cut"] = .init(version, script: [.cut(after: 150_000), .normal])
      files["cut"] = version.content
      _ = serve("taken", sandbox)
      let old = Content.generated(seed: 7, size: 3000)
      try old.write(toFileAt: sandbox.path("taken"))
      files["taken"] = old
      let names = files.keys.sorted()
      let run = try await sandbox.dray(
        ["get", "--retry-wait", "0.05", "-i", "-"],
        input: names.map { sandbox.server.url("/" + $0) + "\n" }.joined())
      expect(run, exits: 3, saying: "the target already exists")
      sandbox.expectFiles(files, run)
      #expect(sandbox.server.requests("/cut").count == 2, "\(run)")
    }
  }

  /// The digests of a file by three algorithms, as options of a list.
  private func digests(of content: Content) -> [String] {
    let bytes = Data(content.bytes(in: 0..<content.size))
    func hex(_ digest: some Sequence<UInt8>) -> String { digest.map { String(format: "%02x", $0) }.joined() }
    return [
      "sha-256=" + hex(SHA256.hash(data: bytes)), "md5=" + hex(Insecure.MD5.hash(data: bytes)),
      "git-sha1=" + hex(Insecure.SHA1.hash(data: Data("blob \(bytes.count)\0".utf8) + bytes)),
    ]
  }

  @Test("P12 digests of small files are compared before anything is on disk; a file that differs leaves nothing")
  func digests() async throws {
    try await Sandbox.use { sandbox in
      var (files, list): ([String: Content], String) = ([:], "")
      for index in 0..<12 {
        let (right, wrong) = ("right\(index)", "wrong\(index)")
        let content = serve(right, sandbox)
        files[right] = content
        let known = digests(of: serve(wrong, sandbox))[index % 3]
        let other = known.dropLast() + (known.hasSuffix("0") ? "1" : "0")
        list += "\(sandbox.server.url("/" + right))\n  checksum=\(digests(of: content)[index % 3])\n"
        list += "\(sandbox.server.url("/" + wrong))\n  checksum=\(other)\n"
      }
      let zeros = Data(count: 32).base64EncodedString()
      _ = serve("offered", sandbox, answer: Answer { $0.headers = ["Repr-Digest: sha-256=:\(zeros):"] })
      list += "\(sandbox.server.url("/offered"))\n"
      let run = try await sandbox.dray(["get", "-i", "-"], input: list)
      expect(run, exits: 9, saying: "by Repr-Digest it is 0000")
      sandbox.expectFiles(files, run)
      let jobs = try await sandbox.jobs()
      let (complete, failed) = (jobs.filter { $0.state == "complete" }, jobs.filter { $0.state == "failed" })
      #expect(complete.count == 12 && complete.allSatisfy { $0.digestSource == "given" }, "\(run)")
      #expect(failed.count == 13 && failed.allSatisfy { $0.partFile == nil }, "\(run)")
      #expect(failed.allSatisfy { $0.error?.message.contains("the digest is") ?? false }, "\(run)")
      for job in jobs {
        let count = sandbox.server.requests(URL(string: job.url)?.path ?? "").count
        #expect(count == 1, "\(job)")
      }
    }
  }

  @Test("a stopped run keeps what it has of a file of the batch, and the next one continues")
  func stopped() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      var files: [String: Content] = [:]
      for index in 0..<10 { files["plain\(index)"] = serve("plain\(index)", sandbox) }
      let version = Version.named("held", size: 200_000)
      sandbox.server["/held"] = .init(version, script: [.held(by: gate, after: 150_000), .normal])
      files["held"] = version.content
      let list = files.keys.sorted().map { sandbox.server.url("/" + $0) + "\n" }.joined()
      expect(try await sandbox.dray(["add", "-i", "-"], input: list), exits: 0)
      let program = try sandbox.start(["run"])
      try await program.wait(for: "the gate and the others") { gate.arrivals > 0 && sandbox.names().count >= 10 }
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      gate.open()
      let again = try await sandbox.dray("run")
      expect(again, exits: 0)
      sandbox.expectFiles(files, again)
    }
  }
}
