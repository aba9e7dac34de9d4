// The positional parameters of a call. The texts of the errors are those of aria2, because clients compare them.

internal import DrayDocuments

struct RPCParameters: Sendable, Equatable {
  private var nodes: [JSONNode]

  init(_ nodes: [JSONNode]) { self.nodes = nodes }

  private static let tokenMark = "token:"

  /// Removes the token, which may come before the first parameter (manual, "RPC authorization secret token").
  /// - Returns: The token; `nil` if the call has none.
  mutating func takeToken() -> String? {
    guard let text = nodes.first?.string, text.hasPrefix(RPCParameters.tokenMark) else { return nil }
    nodes.removeFirst()
    return String(text.dropFirst(RPCParameters.tokenMark.count))
  }

  var count: Int { nodes.count }

  func string(_ place: Int) throws(RPCFailure) -> String { try required(place, try optional(place, \.string)) }
  func list(_ place: Int) throws(RPCFailure) -> [JSONNode] { try required(place, try optional(place, \.array)) }
  func members(_ place: Int) throws(RPCFailure) -> [JSONNode.Member] {
    try required(place, try optional(place, \.object))
  }
  func integer(_ place: Int) throws(RPCFailure) -> Int64 { try required(place, try optional(place, \.integer)) }

  func optionalList(_ place: Int) throws(RPCFailure) -> [JSONNode]? { try optional(place, \.array) }
  func optionalMembers(_ place: Int) throws(RPCFailure) -> [JSONNode.Member]? { try optional(place, \.object) }

  func integer(_ place: Int, atLeast least: Int64) throws(RPCFailure) -> Int64 {
    let number = try integer(place)
    guard number >= least else {
      throw .refused(
        "The integer parameter at \(place) has invalid value: the value must be greater than or equal to \(least).")
    }
    return number
  }

  /// Returns a parameter that is a position in the queue or among URLs, counted from 0.
  func optionalPosition(_ place: Int) throws(RPCFailure) -> Int? {
    guard let position = try optional(place, \.integer) else { return nil }
    guard position >= 0 else { throw .refused("Position must be greater than or equal to 0.") }
    return Int(clamping: position)
  }

  /// Returns the strings in a parameter that is a list. As in aria2, elements of other types are ignored.
  func strings(_ place: Int) throws(RPCFailure) -> [String] { try list(place).compactMap(\.string) }

  /// Returns the keys that a client requests; an empty set means all.
  func keys(_ place: Int) throws(RPCFailure) -> Set<String> {
    Set(try optionalList(place)?.compactMap(\.string) ?? [])
  }

  private func optional<Value>(_ place: Int, _ read: (JSONNode) -> Value?) throws(RPCFailure) -> Value? {
    guard nodes.indices.contains(place) else { return nil }
    guard let value = read(nodes[place]) else { throw .refused("The parameter at \(place) has wrong type.") }
    return value
  }

  private func required<Value>(_ place: Int, _ value: Value?) throws(RPCFailure) -> Value {
    guard let value else { throw .refused("The parameter at \(place) is required but missing.") }
    return value
  }
}
