/// Finds out which proxy a request uses, for messages.
package enum ProxyName {
  /// Returns `HOST:PORT` of the proxy for a URL with this scheme, without user name and password; `nil` if no proxy is
  /// used.
  /// - Parameters:
  ///   - own: The request's own proxy. Empty for no proxy; `nil` for the proxy in the environment.
  ///   - environment: The environment variables that libcurl reads.
  package static func shown(_ own: String?, scheme: String, environment: [String: String]) -> String? {
    parts(own, scheme: scheme, environment: environment).map(\.place).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the user name and password in the URL of the proxy; `nil` if the URL has none.
  package static func credentials(_ own: String?, scheme: String, environment: [String: String]) -> Credentials? {
    guard let text = parts(own, scheme: scheme, environment: environment)?.user else { return nil }
    let both = text.utf8.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false).map {
      String(decoding: PercentText.decoded(Array($0)), as: UTF8.self)
    }
    return Credentials(user: both.first ?? "", password: both.count > 1 ? both[1] : "")
  }

  private static func parts(
    _ own: String?, scheme: String, environment: [String: String]
  ) -> (user: String?, place: String)? {
    let names = scheme == "http" ? ["http_proxy"] : ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY"]
    let text = own ?? (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard var rest = text?[...] else { return nil }
    if let mark = rest.firstRange(of: "://") { rest = rest[mark.upperBound...] }
    rest = rest.prefix { $0 != "/" }
    guard let at = rest.lastIndex(of: "@") else { return (nil, String(rest)) }
    return (String(rest[..<at]), String(rest[rest.index(after: at)...]))
  }
}
