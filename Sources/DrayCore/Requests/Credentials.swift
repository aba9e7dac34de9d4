// User name and password.

/// User name and password for one origin.
public struct Credentials: Sendable, Equatable, Codable {
  /// The user name.
  public var user: String
  /// The password; empty is a password too.
  public var password: String

  /// Makes credentials.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}
