// The permissions that the configuration gives to clients by name.

/// The requests that a client may make only if the configuration permits them by name.
struct Aria2Grants: OptionSet, Sendable {
  let rawValue: Int
  /// Choosing a proxy, which sees the traffic.
  static let proxy = Aria2Grants(rawValue: 1)
}
