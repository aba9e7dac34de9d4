// Parses calls (JSON-RPC 2.0 §4 and §6) from the body of a POST, a text over WebSocket, or a query.

internal import DrayDocuments

struct RPCCall: Sendable, Equatable {
  /// The id that the answer repeats. It may be any value.
  var id: JSONNode
  var method: String
  var parameters: RPCParameters
}

enum RPCEntry: Sendable, Equatable {
  case call(RPCCall)
  /// An invalid call. The answer repeats its id, if it has one.
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
    // aria2 has no parameter names: only the order counts.
    guard let parameters = node["params"].map(\.array) ?? [] else {
      self = .bad(.parameters, id: id)
      return
    }
    self = .call(RPCCall(id: id, method: method, parameters: RPCParameters(parameters)))
  }
}

enum RPCMessage: Sendable, Equatable {
  case one(RPCEntry)
  /// Calls that are answered together, in order.
  case batch([RPCEntry])

  /// The maximum number of calls in a message. The length of the answers has its own limit (``RPCAnswers``).
  static let mostCalls = 20_000

  /// Parses a message. Invalid JSON, and JSON nested more than 64 deep, become a message whose answer is the error.
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
      // As in aria2, an element that is no object has no answer.
      self = .batch(nodes.filter { $0.object != nil }.map(RPCEntry.init))
    default: self = .one(.bad(.request, id: nil))
    }
  }
}
