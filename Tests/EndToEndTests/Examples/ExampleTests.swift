// Every example of README and of the manual pages, run as it stands there. examples.py says how.

import Foundation
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
}
