// A request to a server of an episode, with the facts for any answer, honest or not.

import Foundation

@testable import FaultServer

/// One request and its answer by the rules.
struct Question: Sendable {
  let request: SeenRequest
  let version: Version
  /// The correct answer, with this server's fixed properties.
  let honest: Answer
  /// Whether connections come one at a time, so that every answer is read completely.
  let isAlone: Bool
  /// Whether a digest will prove the file, so that lies may be used that only a digest reveals.
  let isProved: Bool
  /// Whether each answer states the length, so that a different length is a contradiction.
  let tellsLength: Bool

  private let ruling: Ruling

  init(_ request: SeenRequest, _ version: Version, _ honest: Answer, isAlone: Bool, isProved: Bool, tellsLength: Bool) {
    (self.request, self.version, self.honest) = (request, version, honest)
    (self.isAlone, self.isProved, self.tellsLength) = (isAlone, isProved, tellsLength)
    ruling = Ruling(request, version: version, answer: honest)
  }

  var content: Content { version.content }

  var status: Int { ruling.status }

  /// The bytes of a correct 206; nil for another status.
  var part: Range<Int64>? { status == 206 ? ruling.range : nil }

  /// The content of a correct answer.
  var carried: Range<Int64> { part ?? 0..<content.size }

  /// Whether the requested range ends before the file does.
  var isBounded: Bool { part.map { $0.upperBound < content.size } ?? false }

  func bytes(_ range: Range<Int64>) -> [UInt8] { content.bytes(in: range) }

  func contentRange(_ range: Range<Int64>, total: Int64? = nil) -> String {
    "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total ?? content.size)"
  }
}

extension Dice {
  /// One of `choices`, by their weights.
  mutating func pick<Value>(_ choices: [(weight: Int, value: Value)]) -> Value? {
    let total = choices.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return nil }
    var left = Int.random(in: 0..<total, using: &self)
    for choice in choices {
      left -= choice.weight
      if left < 0 { return choice.value }
    }
    return nil
  }

  /// Draws whether an event of this probability happens.
  mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

  /// A position in a body, mostly in its middle.
  mutating func place(in count: Int64) -> Int64 { count > 0 ? Int64.random(in: 0..<count, using: &self) : 0 }
}
