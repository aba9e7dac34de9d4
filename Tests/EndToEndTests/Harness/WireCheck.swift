// Checks all JSON output of the program against its schema, in every test.

import JSONSchema
import Testing

enum WireCheck {
  /// The size limit of the check: lists of 100,000 jobs repeat the same objects.
  private static let limit = 1 << 20

  /// The documents in an output, with the definition that each must match; empty if the command has no format in the
  /// schema.
  static func documents(_ arguments: [String], _ output: String) -> [(text: String, definition: String)] {
    guard let command = arguments.first(where: { !$0.hasPrefix("-") }), !output.isEmpty, output.utf8.count < limit
    else {
      return []
    }
    let isJSON = arguments.contains("--json")
    let isProgress =
      arguments.contains("--progress=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--progress", "json") }
    switch command {
    case "list" where isJSON: return [(output, "list")]
    case "show" where isJSON: return [(output, "details")]
    case "info" where isJSON: return [(output, "info")]
    case "export": return output.split(separator: "\n").map { (String($0), "line") }
    case "watch" where isJSON: break
    case "get" where isProgress && !arguments.contains("-o"), "run" where isProgress: break
    default: return []
    }
    // A killed program may have written half a line.
    let whole = output.hasSuffix("\n") ? output[...] : output[..<(output.lastIndex(of: "\n") ?? output.startIndex)]
    return whole.split(separator: "\n").map { (String($0), "event") }
  }

  /// Expects that an output matches the schema, and that the schema names all its members.
  static func expect(_ arguments: [String], _ output: String) {
    for (text, definition) in documents(arguments, output) {
      let problems: [String]
      do {
        problems = try JSONSchema.wire().problems(JSONValue(parsing: text), as: definition, .closed)
      } catch {
        problems = ["\(error)"]
      }
      #expect(problems == [], "\(arguments): \(text)")
    }
  }
}
