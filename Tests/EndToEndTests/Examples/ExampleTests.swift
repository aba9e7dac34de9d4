// Every example of README and of the manual pages, run as it stands there (examples.py), and the manifests of
// docs/fleet.md (manifests.py).

import Foundation
import TestSupport
import Testing

@Suite("Examples")
struct ExampleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let sources = folder.appending(path: "../../..").standardizedFileURL

  @Test("the examples of README and the manual do what they say")
  func examples() async throws {
    try await Sandbox.use { sandbox in
      let script = Self.folder.appending(path: "examples.py").path
      let finished = try await sandbox.tool(
        "python3", ["-B", script, Self.sources.path, try programPath()], seconds: 1800)
      expect(finished, exits: 0, saying: "0 are wrong")
    }
  }

  private static let yaml = Need("yaml", "python3 has no module yaml") {
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = ["python3", "-c", "import yaml"]
    python.standardError = FileHandle.nullDevice
    guard (try? python.run()) != nil else { return false }
    python.waitUntilExit()
    return python.terminationStatus == 0
  }

  @Test("the manifests for Kubernetes do what docs/fleet.md says of them", .needs(yaml))
  func manifests() async throws {
    try await Sandbox.use { sandbox in
      let script = Self.folder.appending(path: "manifests.py").path
      let finished = try await sandbox.tool(
        "python3", ["-B", script, Self.sources.path, try programPath()], seconds: 300)
      expect(finished, exits: 0, saying: "2 manifests, 0 faults")
    }
  }
}
