// From bytes to calls (JSON-RPC 2.0 §4 and §6), wherever they come from: the body of a POST, a text over WebSocket, a query.

internal import DrayDocuments

/// A call that somebody asks for.
struct RPCCall: Sendable, Equatable {
  /// What the answer repeats: any value.
  var id: JSONNode
  var method: String
  var parameters: RPCParameters
}

/// One entry of a message.
enum RPCEntry: Sendable, Equatable {
  case call(RPCCall)
  /// What is no call; the answer repeats the id, if there was one.
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
    // Names of parameters do not exist in aria2: only their order counts.
    guard let parameters = node["params"].map(\.array) ?? [] else {
      self = .bad(.parameters, id: id)
      return
    }
    self = .call(RPCCall(id: id, method: method, parameters: RPCParameters(parameters)))
  }
}

/// What a client sent at once.
enum RPCMessage: Sendable, Equatable {
  case one(RPCEntry)
  /// Calls whose answers come together, in their order.
  case batch([RPCEntry])

  /// How many calls a message may have. The answers are bounded besides (``RPCAnswers``).
  static let mostCalls = 20_000

  /// Reads a message. What is not JSON, or is nested more than 64 deep, is a message, too: one whose answer says so.
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
      // As in aria2, what is not an object has no answer.
      self = .batch(nodes.filter { $0.object != nil }.map(RPCEntry.init))
    default: self = .one(.bad(.request, id: nil))
    }
  }
}
