// The answers of a real aria2c (Tests/Aria2), and the comparison of dray's answers with them.

import Foundation

/// The answers of aria2c.
struct Transcript: Decodable {
  struct Exchange: Decodable {
    var section: String
    /// The difference from here on; such an entry has no other field.
    var stage: String?
    var name: String?
    var via: String?
    var request: String?
    var bytes: String?
    var repeated: Repeated?
    var status: Int?
    var type: String?
    var answer: String?

    /// The bytes of the request.
    var body: [UInt8] {
      if let repeated { return Array(repeating: Array(repeated.text.utf8), count: repeated.count).flatMap(\.self) }
      if let bytes {
        let digits = Array(bytes)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
      }
      return Array((request ?? "").utf8)
    }
  }

  /// A text that is repeated.
  struct Repeated: Decodable {
    var text: String
    var count: Int

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      (text, count) = (try values.decode(String.self), try values.decode(Int.self))
    }
  }

  var program: String
  var exchanges: [Exchange]

  static func read() throws -> Transcript {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try JSONDecoder().decode(
      Transcript.self, from: Data(contentsOf: tests.appending(path: "Aria2/answers.json")))
  }

  static func exchanges(of sections: String...) -> [Exchange] {
    do {
      return try read().exchanges.filter { sections.contains($0.section) }
    } catch {
      fatalError("Tests/Aria2/answers.json: \(error)")
    }
  }
}

/// The places where two JSON values differ, as `PATH: EXPECTED, not ACTUAL`.
enum Difference {
  static func all(_ expected: String, _ actual: [UInt8]) throws -> [String] {
    func read(_ data: Data) throws -> Any { try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }
    return all(try read(Data(expected.utf8)), try read(Data(actual)), at: "")
  }

  private static func all(_ expected: Any, _ actual: Any, at path: String) -> [String] {
    switch (expected, actual) {
    case (let expected as [String: Any], let actual as [String: Any]):
      return Set(expected.keys).union(actual.keys).sorted().flatMap { key in
        let here = path.isEmpty ? key : "\(path).\(key)"
        guard let one = expected[key] else { return ["\(here): surplus"] }
        guard let other = actual[key] else { return ["\(here): missing"] }
        return all(one, other, at: here)
      }
    case (let expected as [Any], let actual as [Any]):
      guard expected.count == actual.count else { return ["\(path): \(expected.count) elements, not \(actual.count)"] }
      return zip(expected, actual).flatMap { all($0, $1, at: "\(path)[]") }
    // The recorded speed is irrelevant, but it must be a number in a string.
    case (let expected as String, let actual as String)
    where path.hasSuffix("downloadSpeed") && Int(expected) != nil && Int(actual) != nil:
      return []
    case (let expected as NSObject, let actual as NSObject):
      return expected.isEqual(actual) ? [] : ["\(path): \(expected), not \(actual)"]
    default: return ["\(path): \(expected), not \(actual)"]
    }
  }
}
