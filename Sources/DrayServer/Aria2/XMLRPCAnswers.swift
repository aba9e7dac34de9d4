// The same methods in XML-RPC (aria2's manual, "RPC INTERFACE"), which is all that some clients know. Values are those of
// JSON-RPC; an error is a fault, and the status of the HTTP answer says nothing of it.

internal import DrayDocuments

extension RPCAnswers {
  /// Carries out a call in XML-RPC.
  /// - Returns: an answer with the status 400 and no body for what cannot be read.
  func answer(xml bytes: [UInt8]) async -> Answer {
    let call: MethodCall
    do throws(DocumentError) {
      call = try MethodCall.parse(bytes)
    } catch {
      return Answer(body: [], status: 400)
    }
    var text = XMLText()
    var wasUnauthorized = false
    text.raw("<?xml version=\"1.0\"?><methodResponse>")
    do throws(RPCFailure) {
      let parameters = RPCParameters(call.parameters)
      let value: RPCValue
      if call.method == Aria2Method.multicall {
        value = try await multicall(parameters, &wasUnauthorized)
      } else {
        value = try await run(call.method, parameters)
      }
      text.raw("<params><param>")
      text.value(value)
      text.raw("</param></params>")
    } catch {
      if error == .unauthorized { wasUnauthorized = true }
      text.raw("<fault>")
      text.value(error.fault)
      text.raw("</fault>")
    }
    text.raw("</methodResponse>")
    return Answer(body: text.bytes, status: 200, wasUnauthorized: wasUnauthorized)
  }

  private func multicall(_ parameters: RPCParameters, _ wasUnauthorized: inout Bool) async throws(RPCFailure)
    -> RPCValue
  {
    var results: [RPCValue] = []
    var budget = mostBytes
    for call in try RPCAnswers.calls(parameters) {
      do throws(RPCFailure) {
        guard budget > 0 else { throw .tooLong }
        let (method, parameters) = try RPCAnswers.nested(call)
        let value = try await run(method, parameters)
        budget -= value.size
        results.append(.list([value]))
      } catch {
        if error == .unauthorized { wasUnauthorized = true }
        results.append(error.fault)
      }
    }
    return .list(results)
  }
}

extension RPCFailure {
  fileprivate var fault: RPCValue { .of(["faultCode": .integer(code), "faultString": .string(message)]) }
}

extension RPCValue {
  /// Bytes that it takes as text, more or less.
  fileprivate var size: Int {
    switch self {
    case .string(let text): 40 + text.utf8.count
    case .integer: 30
    case .list(let values): values.reduce(50) { $0 + $1.size }
    case .members(let members): members.reduce(40) { $0 + 40 + $1.name.utf8.count + $1.value.size }
    }
  }
}

/// XML text that only grows.
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

  /// What XML has no place for is replaced (XML 1.0 §2.2).
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
