// Decides from the first answer whether a file is worth more than one connection.

/// The rule for distributing a file over several connections.
package enum SegmentRule {
  /// A second connection is considered if at least this many bytes are missing.
  package static let least: Int64 = 1 << 20

  /// Whether other connections may fetch parts of the file.
  /// - Parameters:
  ///   - head: The first answer.
  ///   - missing: The number of missing bytes.
  ///   - connections: The number of connections that the user allows.
  ///   - isIdentified: Whether a strong validator ties the parts together, or a digest will (P2).
  package static func mayHelp(_ head: ResponseHead, missing: Int64, connections: Int, isIdentified: Bool) -> Bool {
    guard connections > 1, missing > least, isIdentified, head.contentCodings.isEmpty else { return false }
    return head.status == 206 || head.status == 200 && !head.refusesRanges
  }
}

extension ResponseHead {
  /// Whether the server says that it serves no ranges (RFC 9110 §14.3). If the field is missing, it may serve them.
  var refusesRanges: Bool {
    all("accept-ranges").contains { $0.lowercased().split(separator: ",").contains { $0.trimmingSpaces() == "none" } }
  }
}
