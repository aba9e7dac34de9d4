// The address of a proxy, checked and brought into the form that libcurl takes.

/// The addresses of proxies.
public enum ProxyAddress {
  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Reads `[scheme://][user:password@]host[:port]`; without a scheme it is http. Empty means no proxy.
  /// - Throws: the problem, without the text: there may be a password in it.
  public static func parse(_ text: String) throws(SettingProblem) -> String {
    if text.isEmpty { return "" }
    let mark = text.firstRange(of: "://")
    let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
    guard schemes.contains(scheme) else {
      let known = schemes.joined(separator: ", ")
      throw SettingProblem(
        "\(SettingProblem.quote(scheme)) is not a proxy scheme: use one of \(known), as in http://HOST:PORT")
    }
    let rest = mark.map { String(text[$0.upperBound...]) } ?? text
    // Host and port are what they are in a URL, and are checked as such.
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
