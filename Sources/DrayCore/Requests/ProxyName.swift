// The name of a request's proxy, for messages.

/// Names of proxies.
public enum ProxyName {
  /// `HOST:PORT` of the proxy for a URL of this scheme, without user name and password; `nil` if there is none.
  /// - Parameters:
  ///   - own: the request's own proxy: empty means none, `nil` the environment's.
  ///   - environment: the variables, as libcurl reads them.
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
