// The permissions that clients have only if the configuration names them.

/// What a client may request only if the configuration permits it by name.
struct Aria2Grants: OptionSet, Sendable {
  let rawValue: Int
  /// Permits that a client chooses a proxy, which can see the traffic.
  static let proxy = Aria2Grants(rawValue: 1)
}
