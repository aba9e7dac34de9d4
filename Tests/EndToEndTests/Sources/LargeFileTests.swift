// `dray lfs-agent`: objects of git-lfs, with git-lfs as the judge.

import Foundation
import TestSupport
import Testing

@Suite("Objects of git-lfs", .needs(.programs("git", "git-lfs", "python3")))
struct LargeFileTests {
  private func git(_ sandbox: Sandbox, _ line: String, seconds: Double = 60) async throws -> Finished {
    try await sandbox.shell("cd clone && git " + line, seconds: seconds)
  }

  private func clone(_ server: LargeFileServer, _ sandbox: Sandbox, skipping: Bool = false) async throws {
    let skip = skipping ? "GIT_LFS_SKIP_SMUDGE=1 " : ""
    let finished = try await sandbox.shell("\(skip)git clone -q '\(server.repository)' clone", seconds: 60)
    expect(finished, exits: 0)
  }

  /// The files below the agent's directory, which must have no secrets.
  private func state(_ sandbox: Sandbox) -> [Data] {
    let path = sandbox.path("clone/.git/lfs/dray")
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.compactMap { FileManager.default.contents(atPath: "\(path)/\($0)") }
  }

  @Test("a clone: the server asks for an account, git-lfs takes all objects, and nothing is left")
  func clone() async throws {
    try await Sandbox.use { sandbox in
      let files = ["a.bin": 300_000, "b.bin": 1, "c.bin": 70_000]
      let server = try await LargeFileServer(in: sandbox, files: files)
      try await clone(server, sandbox)
      for name in files.keys {
        #expect(
          FileManager.default.contentsEqual(
            atPath: sandbox.path("clone/" + name), andPath: "\(server.repository)/\(name)"))
      }
      expect(try await git(sandbox, "lfs fsck"), exits: 0)
      let requests = try server.requests
      #expect(requests.contains { $0.isQuestion && $0.status == 401 })
      #expect(requests.filter { !$0.isQuestion }.allSatisfy { $0.authorization == nil && $0.status < 300 })
      #expect(try server.sent == files.values.reduce(0, +))
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("clone/.git/lfs/dray/objects")).isEmpty)
      let secrets = [Data("s3cret".utf8), Data("YW5uOnMz".utf8), Data("token-".utf8)]
      #expect(!state(sandbox).contains { data in secrets.contains { data.range(of: $0) != nil } })
      expect(try await sandbox.dray("--store", sandbox.path("clone/.git/lfs/dray"), "list"), exits: 0)
    }
  }

  @Test("all processes are killed in the middle: the rest is fetched, over links that expire every 1.5 s")
  func killed() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let size = 16 << 20
      let server = try await LargeFileServer(in: sandbox, files: ["large.bin": size], life: 1.5)
      try await clone(server, sandbox, skipping: true)
      let program = try sandbox.launch(try toolPath("git"), ["lfs", "pull"]) { launch in
        launch.directory = sandbox.path("clone")
      }
      let store = sandbox.path("clone/.git/lfs/dray")
      try await program.wait(for: "5 MiB", seconds: 60, every: 0.1) { try await sandbox.kept(store: store) > 5 << 20 }
      for pid in processes(in: sandbox.path("clone")) { kill(pid, SIGKILL) }
      try await program.kill9()
      // The server logs an answer when it has ended.
      try await Task.sleep(for: .milliseconds(500))
      let (kept, before) = (Int(try await sandbox.kept(store: store)), try server.sent)
      expect(try await git(sandbox, "lfs pull"), exits: 0)
      expect(try await git(sandbox, "lfs fsck"), exits: 0)
      #expect(
        FileManager.default.contentsEqual(
          atPath: sandbox.path("clone/large.bin"), andPath: server.repository + "/large.bin"))
      let again = try server.sent - before
      #expect(again <= size - kept + size / 100 + 4 * 65_536, "\(again) of \(size), \(kept) kept")
      #expect(try server.requests.filter { $0.isQuestion && $0.status == 200 }.count >= 3)
    }
  }

  @Test(
    "lies and refusals, each with what is wrong",
    arguments: [
      ("digest", "by git-lfs it is"), ("size", "bytes instead of"), ("missing", "there is no such object"),
      ("scheme", "must be http or https"),
    ])
  func lies(lie: String, words: String) async throws {
    try await Sandbox.use { sandbox in
      let server = try await LargeFileServer(in: sandbox, files: ["a.bin": 1000])
      try await clone(server, sandbox, skipping: true)
      try await server.lie(lie, about: "a.bin", sandbox)
      let finished = try await git(sandbox, "lfs pull")
      #expect(finished.status != 0 && finished.text.lowercased().contains(words), "\(finished)")
    }
  }

  @Test("the lines of the protocol and nothing else; several objects come together; uploads are refused")
  func lines() async throws {
    try await Sandbox.use { sandbox in
      let server = try await LargeFileServer(in: sandbox, files: ["a.bin": 1000, "b.bin": 2000])
      try await clone(server, sandbox, skipping: true)
      let line = """
        cd clone && { echo '{"event":"init","operation":"download","remote":"origin","concurrent":false,"concurrenttransfers":3}'
        git lfs ls-files --long --size | sed -E 's/^([0-9a-f]{64}) .*([12])[.]0 KB.*$/{"event":"download","oid":"\\1","size":\\2000}/'
        } > ../lines && { cat ../lines; sleep 3; echo '{"event":"terminate"}'; } | "$DRAY" lfs-agent
        """
      let finished = try await sandbox.shell(line, seconds: 60)
      expect(finished, exits: 0)
      let answers = try finished.output.split(separator: "\n").map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      #expect(answers.first?.isEmpty == true)
      let paths = answers.filter { $0["event"] as? String == "complete" }.compactMap { $0["path"] as? String }
      #expect(Set(paths).count == 2 && paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
      #expect(finished.errors.isEmpty)
      #expect(try server.requests.filter { $0.isQuestion && $0.status == 200 }.count == 1)
      let upload = #"echo '{"event":"init","operation":"upload","remote":"origin"}' | "$DRAY" lfs-agent"#
      expect(try await sandbox.shell("cd clone && " + upload), exits: 0, saying: "does not send")
    }
  }

  /// The processes that work in a directory.
  private func processes(in path: String) -> [pid_t] {
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return all.filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/cwd")) == real }
  }
}
