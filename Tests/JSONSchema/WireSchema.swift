// dray's own schema.

import Foundation

extension JSONSchema {
  private static let shared = Result { try committed() }

  /// The schema of dray's output, `docs/wire/dray.schema.json`; read once.
  public static func wire() throws -> JSONSchema { try shared.get() }

  /// Reads the schema of the repository, found from this file.
  private static func committed(_ file: String = #filePath) throws -> JSONSchema {
    var directory = URL(fileURLWithPath: file).resolvingSymlinksInPath().deletingLastPathComponent()
    while directory.path != "/" {
      let path = directory.appendingPathComponent("docs/wire/dray.schema.json")
      if FileManager.default.fileExists(atPath: path.path) {
        return try JSONSchema(String(contentsOf: path, encoding: .utf8))
      }
      directory.deleteLastPathComponent()
    }
    throw Malformed(description: "docs/wire/dray.schema.json is not above \(file)")
  }
}
