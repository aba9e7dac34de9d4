// The failure to listen at an address.

public struct ListenError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case address
    /// The port is in use, or the machine does not have the address.
    case network
    case file
  }

  public let kind: Kind
  public let subject: String
  /// A clause without a full stop.
  public let reason: String
  /// The next step for the user.
  public let advice: String?

  init(_ subject: String, _ reason: String, _ advice: String? = nil, kind: Kind = .address) {
    (self.subject, self.reason, self.advice, self.kind) = (subject, reason, advice, kind)
  }
}
