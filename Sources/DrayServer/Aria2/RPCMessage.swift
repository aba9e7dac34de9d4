// Parses calls (JSON-RPC 2.0 §4 and §6) from the body of a POST, from a text over a WebSocket, or from a query.

internal import DrayDocuments

struct RPCCall: Sendable, Equatable {
  /// The id of the call, which the answer repeats. The id may be any JSON value.
  var id: JSONNode
  var method: String
  var parameters: RPCParameters
}

enum RPCEntry: Sendable, Equatable {
  case call(RPCCall)
  /// An invalid call. The answer repeats the id of the call, if the call has one.
  case bad(RPCFailure, id: JSONNode?)

  fileprivate init(_ node: JSONNode) {
    guard let id = node["id"] else {
      self = .bad(.request, id: nil)
      return
    }
    guard let method = node["method"]?.string else {
      self = .bad(.request, id: id)
      return
    }
    // aria2 has no names for parameters, so only their order counts.
    guard let parameters = node["params"].map(\.array) ?? [] else {
      self = .bad(.parameters, id: id)
      return
    }
    self = .call(RPCCall(id: id, method: method, parameters: RPCParameters(parameters)))
  }
}

enum RPCMessage: Sendable, Equatable {
  case one(RPCEntry)
  /// Several calls that are answered together, in order.
  case batch([RPCEntry])

  /// The maximum number of calls in one message. The length of the answers has a limit of its own (``RPCAnswers``).
  static let mostCalls = 20_000

  /// Parses a message. The result for invalid JSON, and for JSON that is nested more than 64 deep, is a message whose
  /// answer is the error.
  init(_ bytes: some Sequence<UInt8>) {
    do throws(DocumentError) {
      self.init(try JSONNode.parse(bytes, kind: "a call"))
    } catch {
      self = .one(.bad(.parse, id: nil))
    }
  }

  private init(_ node: JSONNode) {
    switch node.value {
    case .object: self = .one(RPCEntry(node))
    case .array(let nodes) where nodes.count <= RPCMessage.mostCalls:
      // As in aria2, an element of a batch that is not an object gets no answer.
      self = .batch(nodes.filter { $0.object != nil }.map(RPCEntry.init))
    default: self = .one(.bad(.request, id: nil))
    }
  }
}
