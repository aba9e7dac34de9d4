// The address of a proxy, whose parts aria2 has in separate options.

internal import DrayCore

/// The values of `--all-proxy` and similar options, with their user names and passwords.
enum OptionProxy {
  /// Returns the proxy as a URL; an empty text means no proxy. A user name in the address takes precedence over a
  /// separate one.
  static func address(_ proxy: String, user: String?, password: String?) -> String {
    guard !proxy.isEmpty else { return "" }
    let mark = proxy.firstRange(of: "://")
    let scheme = mark.map { String(proxy[..<$0.lowerBound]) } ?? "http"
    let rest = mark.map { String(proxy[$0.upperBound...]) } ?? proxy
    guard let user, !user.isEmpty, !rest.contains("@") else { return "\(scheme)://\(rest)" }
    return "\(scheme)://\(PercentText.encoded(user)):\(PercentText.encoded(password ?? ""))@\(rest)"
  }
}
