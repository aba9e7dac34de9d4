// The name of a request's proxy, for messages.

/// Finds the names of proxies.
public enum ProxyName {
  /// Returns `HOST:PORT` of the proxy for a URL with this scheme, without user name and password; `nil` if there is
  /// none.
  /// - Parameters:
  ///   - own: The request's own proxy. Empty means none, `nil` the environment's.
  ///   - environment: The environment variables that libcurl reads.
  public static func shown(_ own: String?, scheme: String, environment: [String: String]) -> String? {
    let names = scheme == "http" ? ["http_proxy"] : ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY"]
    let text = own ?? (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard var rest = text?[...] else { return nil }
    if let mark = rest.firstRange(of: "://") { rest = rest[mark.upperBound...] }
    rest = rest.prefix { $0 != "/" }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    return rest.isEmpty ? nil : String(rest)
  }
}
