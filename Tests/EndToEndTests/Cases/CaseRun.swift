// Runs a case: starts servers, runs the steps in order, then gathers the outcome.

import FaultServer
import Foundation

/// One run of a case in a sandbox.
struct CaseRun {
  let file: String
  let text: String

  /// Runs the case and returns the complaints about it.
  ///
  /// - Throws: `CaseError` if the file is not a case, `HarnessError` if it cannot be run.
  static func complaints(file: String, text: String) async throws -> [String] {
    let draft = try CaseReader.read(text, file: file)
    // Otherwise a missing tool would look like a fault of the program.
    for tool in draft.tools { _ = try toolPath(tool) }
    var complaints: [String] = []
    try await Sandbox.use { sandbox in
      complaints = try await CaseRun(file: file, text: text).run(draft, sandbox)
    }
    return complaints
  }

  private func run(_ draft: FaultCase, _ sandbox: Sandbox) async throws -> [String] {
    let other = try FaultServer()
    defer { other.stop() }
    guard let disk = draft.disk else { return try await run(draft, sandbox, other) }
    let mount = ["-t", "tmpfs", "-o", disk, "none", sandbox.downloads]
    let mounted = try await sandbox.tool("mount", mount)
    guard mounted.status == 0 else { throw HarnessError("\(mounted)") }
    do {
      let complaints = try await run(draft, sandbox, other)
      _ = try await sandbox.tool("umount", ["-l", sandbox.downloads])
      return complaints
    } catch {
      _ = try? await sandbox.tool("umount", ["-l", sandbox.downloads])
      throw error
    }
  }

  private func run(_ draft: FaultCase, _ sandbox: Sandbox, _ other: FaultServer) async throws -> [String] {
    let refused = try RefusingPort()
    var words = [
      "main": sandbox.server.url(""), "main-host": "127.0.0.1:\(sandbox.server.port)", "other": other.url(""),
      "other-host": "127.0.0.1:\(other.port)",
      "other-port": "\(other.port)", "refused": refused.url(""), "dir": sandbox.downloads,
      "root": sandbox.root, "home": sandbox.home, "secret": draft.secret ?? "",
    ]
    if let tls = draft.tls {
      let front = try await TLSFront(in: sandbox, tls, server: sandbox.server.port)
      words["tls"] = "https://" + front.host
      words["tls-host"] = front.host
    }
    // Digests need versions, and versions are known only after a first reading: read twice.
    for name in CasePlaces.digests(in: text) {
      let node = try CaseNode.parse("", file: file)
      words["sha256:\(name)"] = Sandbox.sha256(try CaseReader.version(name, in: text, file: file, node))
    }
    let places = CasePlaces(words)
    let faultCase = try CaseReader.read(text, file: file, places: places)
    for serve in faultCase.serves {
      (serve.site == .main ? sandbox.server : other)[serve.path] = serve.resource
    }
    let stage = CaseStage(sandbox: sandbox, other: other, faultCase: faultCase, gate: places.gate)
    let outcome = try await stage.play()
    return CaseCheck(file: file, faultCase: faultCase, outcome: outcome).complaints
  }
}
