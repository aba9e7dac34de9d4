// The answers to messages of the extension for browsers.

internal import DrayCore
package import DrayDocuments
internal import DrayWire

/// An answer as JSON. It repeats the id of its message.
package struct BrowserAnswer: Sendable {
  /// The JSON text.
  package let bytes: [UInt8]

  /// Creates the answer to a message that was carried out.
  init(to id: BrowserMessageID?, _ body: (inout JSONText) -> Void = { _ in }) {
    let bytes = BrowserAnswer.text(id, isDone: true, body)
    // Browsers end a program that sends more.
    self.bytes =
      bytes.count <= MessageFrames.longest
      ? bytes
      : BrowserAnswer.text(id, isDone: false) { json in
        BrowserAnswer.write(BrowserProblem(.unavailable, "the answer is too long for a browser"), to: &json)
      }
  }

  /// Creates the answer to a message that was not carried out.
  /// - Parameter id: `nil` if the message has none.
  package init(to id: BrowserMessageID?, refusing problem: BrowserProblem) {
    self.init(to: id, refusing: problem) { _ in }
  }

  init(to id: BrowserMessageID?, refusing problem: BrowserProblem, _ body: (inout JSONText) -> Void) {
    bytes = BrowserAnswer.text(id, isDone: false) { json in
      BrowserAnswer.write(problem, to: &json)
      body(&json)
    }
  }

  private static func write(_ problem: BrowserProblem, to json: inout JSONText) {
    json.field("code", problem.code.rawValue)
    json.field("message", problem.message)
    json.field("advice", problem.advice)
  }

  private static func text(_ id: BrowserMessageID?, isDone: Bool, _ body: (inout JSONText) -> Void) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      switch id {
      case .number(let number)?: json.field("id", number)
      case .text(let text)?: json.field("id", text)
      case nil: json.field("id", String?.none)
      }
      json.field("ok", isDone)
      body(&json)
    }
    return json.bytes
  }
}
