// A server of git-lfs (lfs.py), and git with git-lfs, which judges what `dray lfs-agent` hands over.

import FaultServer
import Foundation
import TestSupport
import Testing

/// A running server with its log of requests, and a repository whose objects it has. It ends with its sandbox.
struct LargeFileServer: Sendable {
  struct Request: Decodable {
    var method: String
    var path: String
    var status: Int
    /// The bytes of the object that were written.
    var sent: Int
    var authorization: String?

    /// Whether it asks where objects are.
    var isQuestion: Bool { method == "POST" }
  }

  /// The repository with the files and their objects.
  let repository: String
  private let log: String

  /// - Parameters:
  ///   - files: The files by their names, each with its size.
  ///   - life: The life of a link in seconds.
  init(in sandbox: Sandbox, files: [String: Int], life: Double = 60) async throws {
    repository = sandbox.root + "/user/repository"
    log = "\(sandbox.root)/streams/lfs.jsonl"
    let objects = repository + "/.git/lfs/objects"
    let server = try sandbox.launch(
      try toolPath("python3"), ["-B", ObjectServer.script("lfs.py"), log, objects, "\(life)"])
    try await server.wait(for: "the server", seconds: 60) { server.output.hasSuffix("\n") }
    let url = server.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let (user, address) = (sandbox.root + "/user", url.replacing("http://", with: "http://ann:s3cret@"))
    try (address + "\n").write(toFile: user + "/accounts", atomically: true, encoding: .utf8)
    let settings = """
      [user]
        name = Ann
        email = ann@example.org
      [lfs]
        url = \(url)
        standalonetransferagent = dray
      [lfs "customtransfer.dray"]
        path = \(try programPath())
        args = lfs-agent
      [credential]
        helper = store --file=\(user)/accounts
      """
    try settings.write(toFile: user + "/.gitconfig", atomically: true, encoding: .utf8)
    expect(try await sandbox.shell("git init -q '\(repository)' && git lfs install --skip-repo"), exits: 0)
    for (name, size) in files.sorted(by: { $0.key < $1.key }) {
      let content = Content.generated(seed: UInt64(size), size: Int64(size))
      try Data(content.bytes(in: 0..<Int64(size))).write(to: URL(fileURLWithPath: "\(repository)/\(name)"))
    }
    let line = "cd '\(repository)' && git lfs track '*.bin' && git add . && git commit -q -m files"
    expect(try await sandbox.shell(line, seconds: 60), exits: 0)
  }

  /// The requests so far.
  var requests: [Request] {
    get throws {
      guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return [] }
      return try text.split(separator: "\n").map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }
  }

  /// The bytes of objects that were sent.
  var sent: Int { get throws { try requests.reduce(0) { $0 + $1.sent } } }

  /// Makes the server lie about the object of a file.
  func lie(_ lie: String, about name: String, _ sandbox: Sandbox) async throws {
    let line = """
      cd '\(repository)' && oid=$(git lfs ls-files --long --include '\(name)' | cut -d ' ' -f 1) && \
      echo "$oid \(lie)" >> .git/lfs/objects/lies
      """
    expect(try await sandbox.shell(line), exits: 0)
  }
}
