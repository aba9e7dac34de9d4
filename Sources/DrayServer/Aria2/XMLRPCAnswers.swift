// Carries out the same methods over XML-RPC (aria2's manual, "RPC INTERFACE"), for clients that do not use JSON. The
// values are the same; an error is a fault in the body, and the HTTP status does not show it.

internal import DrayDocuments

extension RPCAnswers {
  /// Carries out a call in XML, and returns the answer.
  /// - Returns: For invalid XML, an answer with status 400 and no body.
  func answer(xml bytes: [UInt8]) async -> Answer {
    let call: MethodCall
    do throws(DocumentError) {
      call = try MethodCall.parse(bytes)
    } catch {
      return Answer(body: [], status: 400)
    }
    var tally = RPCTally()
    var text = XMLText()
    text.raw("<?xml version=\"1.0\"?><methodResponse>")
    let order = RPCOrder(method: call.method, parameters: RPCParameters(call.parameters))
    for outcome in await outcomes(of: [.success(order)], .xml, &tally) {
      switch outcome {
      case .success(let value):
        text.raw("<params><param>")
        text.value(value)
        text.raw("</param></params>")
      case .failure(let failure):
        text.raw("<fault>")
        text.value(failure.value(.xml))
        text.raw("</fault>")
      }
    }
    text.raw("</methodResponse>")
    return Answer(body: text.bytes, status: 200)
  }
}

/// An XML text to which elements are appended in order.
private struct XMLText {
  private(set) var bytes: [UInt8] = []

  mutating func raw(_ text: String) { bytes += Array(text.utf8) }

  mutating func value(_ value: RPCValue) {
    raw("<value>")
    switch value {
    case .string(let text):
      raw("<string>")
      escaped(text)
      raw("</string>")
    case .integer(let number): raw("<int>\(number)</int>")
    case .list(let values):
      raw("<array><data>")
      for value in values { self.value(value) }
      raw("</data></array>")
    case .members(let members):
      raw("<struct>")
      for member in members {
        raw("<member><name>")
        escaped(member.name)
        raw("</name>")
        self.value(member.value)
        raw("</member>")
      }
      raw("</struct>")
    }
    raw("</value>")
  }

  private static let entities: [Unicode.Scalar: String] = [
    "<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;",
  ]

  /// Appends a text, and replaces the characters that XML does not allow (XML 1.0 §2.2).
  private mutating func escaped(_ text: String) {
    for scalar in text.unicodeScalars {
      if let entity = XMLText.entities[scalar] {
        raw(entity)
      } else if scalar.value < 0x20 && scalar != "\t" && scalar != "\n" && scalar != "\r" || scalar.value == 0xFFFE
        || scalar.value == 0xFFFF
      {
        raw("\u{FFFD}")
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}
