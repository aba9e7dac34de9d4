// The failure to listen at an address.

/// The reason why a server cannot listen at an address.
public struct ListenError: Error, Sendable, Equatable {
  /// The kind of a failure.
  public enum Kind: Sendable, Equatable {
    /// The text is not an address.
    case address
    /// The network: the port is in use, or the machine does not have the address.
    case network
    /// The file of a socket.
    case file
  }

  /// The kind.
  public let kind: Kind
  /// The address.
  public let subject: String
  /// The reason, as a clause without a full stop.
  public let reason: String
  /// The next step for the user.
  public let advice: String?

  init(_ subject: String, _ reason: String, _ advice: String? = nil, kind: Kind = .address) {
    (self.subject, self.reason, self.advice, self.kind) = (subject, reason, advice, kind)
  }
}
