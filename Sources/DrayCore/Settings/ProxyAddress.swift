/// Checks the address of a proxy, and converts it to libcurl's form.
package enum ProxyAddress {
  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Parses `[scheme://][user:password@]host[:port]`. The default scheme is http. An empty text means that no proxy is
  /// used. As in curl, characters that would end the user name or the password must be percent-encoded.
  /// - Throws: The problem, without quoting the text, which may contain a password.
  package static func parse(_ text: String) throws(SettingProblem) -> String {
    if text.isEmpty { return "" }
    let mark = text.firstRange(of: "://")
    let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
    guard schemes.contains(scheme) else {
      let known = schemes.joined(separator: ", ")
      // A password may stand in front of the scheme by mistake.
      let shown = scheme.utf8.allSatisfy(URLRedaction.isSchemeByte) ? SettingProblem.quote(scheme) : "this"
      throw SettingProblem("\(shown) is not a proxy scheme: use one of \(known), as in http://HOST:PORT")
    }
    let rest = mark.map { String(text[$0.upperBound...]) } ?? text
    if let at = rest.lastIndex(of: "@"),
      let raw = rest[..<at].unicodeScalars.first(where: "@#/?".unicodeScalars.contains)
    {
      let code = String(raw.value, radix: 16, uppercase: true)
      throw SettingProblem("a raw \(raw) before the last @, in the user name or the password: write it as %\(code)")
    }
    // Host and port are checked as in a URL.
    let parsed: RequestURL.Parsed
    do throws(URLParseError) {
      parsed = try RequestURL.parse("http://\(rest)")
    } catch {
      throw SettingProblem("this is not a proxy (\(error.message)): write it like http://HOST:PORT")
    }
    guard parsed.url.path == "/", parsed.url.query == nil else {
      throw SettingProblem("a proxy has no path: write it like http://HOST:PORT")
    }
    return "\(scheme)://\(rest)"
  }
}
