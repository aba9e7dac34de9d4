// User name and password.

/// The user name and password for one origin.
public struct Credentials: Sendable, Hashable, Codable {
  /// The user name.
  public var user: String
  /// The password. It may be empty.
  public var password: String

  /// Creates credentials.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}
