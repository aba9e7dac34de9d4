// Names the object store and the object in failures of requests that got no answer.

extension Failure {
  /// Adds the server's name to the failure of a request to an object store.
  /// - Parameter server: The host and the port.
  public func ofObjectStore(_ server: String) -> Failure {
    var copy = self
    let store = "the object store \(TextSafety.escaped(server))"
    let start = "the server "
    switch obstacle {
    case .missingInterface: return self
    case .refusedPort: copy.reason = "\(store) refused the connection"
    case .unresolvedName, .unknownName: copy.reason = "the name of \(store) cannot be resolved"
    case nil where reason.hasPrefix(start): copy.reason = "\(store) \(reason.dropFirst(start.count))"
    case nil: copy.reason = "\(store): \(reason)"
    }
    // Keep existing advice, for example about an address that is refused on this machine.
    guard kind == .network, recovery == .retry else { return copy }
    copy.advice =
      obstacle == nil || obstacle == .refusedPort
      ? "see whether it runs; \(.run) continues" : "check \(.endpoint) and the network; \(.run) continues"
    return copy
  }

  /// Returns this failure as a failure of a job's target. The obstacle is left out, because the rules about unreachable
  /// servers are for the source.
  /// - Parameter subject: The object or the bucket, for people.
  public func of(_ subject: String) -> Failure {
    var copy = self
    (copy.subject, copy.obstacle) = (subject, nil)
    return copy
  }
}
