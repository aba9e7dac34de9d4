// The permissions that the configuration gives to clients by name.

/// What a client may ask for only where the configuration allows it by name.
struct Aria2Grants: OptionSet, Sendable {
  let rawValue: Int
  /// To choose a proxy: it sees what is fetched.
  static let proxy = Aria2Grants(rawValue: 1)
}
