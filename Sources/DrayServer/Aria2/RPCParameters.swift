// The parameters of a call, by their places. The texts of errors are aria2's: clients compare them.

internal import DrayDocuments

/// The parameters of a call.
struct RPCParameters: Sendable, Equatable {
  private var nodes: [JSONNode]

  init(_ nodes: [JSONNode]) { self.nodes = nodes }

  private static let tokenMark = "token:"

  /// Takes the token away, which may stand before the first parameter (manual, "RPC authorization secret token").
  /// - Returns: the token; `nil` if there is none.
  mutating func takeToken() -> String? {
    guard let text = nodes.first?.string, text.hasPrefix(RPCParameters.tokenMark) else { return nil }
    nodes.removeFirst()
    return String(text.dropFirst(RPCParameters.tokenMark.count))
  }

  /// How many there are.
  var count: Int { nodes.count }

  func string(_ place: Int) throws(RPCFailure) -> String { try required(place, try optional(place, \.string)) }
  func list(_ place: Int) throws(RPCFailure) -> [JSONNode] { try required(place, try optional(place, \.array)) }
  func members(_ place: Int) throws(RPCFailure) -> [JSONNode.Member] {
    try required(place, try optional(place, \.object))
  }
  func integer(_ place: Int) throws(RPCFailure) -> Int64 { try required(place, try optional(place, \.integer)) }

  func optionalList(_ place: Int) throws(RPCFailure) -> [JSONNode]? { try optional(place, \.array) }
  func optionalMembers(_ place: Int) throws(RPCFailure) -> [JSONNode.Member]? { try optional(place, \.object) }

  /// A number that must not be smaller than `least`.
  func integer(_ place: Int, atLeast least: Int64) throws(RPCFailure) -> Int64 {
    let number = try integer(place)
    guard number >= least else {
      throw .refused(
        "The integer parameter at \(place) has invalid value: the value must be greater than or equal to \(least).")
    }
    return number
  }

  /// A place in the queue, or among URLs, from 0 on.
  func optionalPosition(_ place: Int) throws(RPCFailure) -> Int? {
    guard let position = try optional(place, \.integer) else { return nil }
    guard position >= 0 else { throw .refused("Position must be greater than or equal to 0.") }
    return Int(clamping: position)
  }

  /// The strings of a list; as in aria2, what is none does not count.
  func strings(_ place: Int) throws(RPCFailure) -> [String] { try list(place).compactMap(\.string) }

  /// Names of members that are asked for; empty stands for all.
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
