// Which cookies of a browser a request carries (RFC 6265 §5.4).

internal import DrayCore

extension Cookie {
  /// Whether a request for `url` carries the cookie. This machine counts as secure, as in browsers and libcurl.
  func isSent(to url: RequestURL, now: Int64) -> Bool {
    guard !isExpired(at: now), !isSecure || url.scheme == "https" || ServiceAddress.isLocal(url.host) else {
      return false
    }
    return matchesDomain(of: url.host) && matchesPath(url.path)
  }

  /// RFC 6265 §5.1.3. An address has no subdomains.
  private func matchesDomain(of host: String) -> Bool {
    if domain == host { return true }
    guard includesSubdomains, host.hasSuffix("." + domain), !host.hasPrefix("[") else { return false }
    return host.split(separator: ".").last.map { UInt64($0) == nil } ?? false
  }

  /// RFC 6265 §5.1.4.
  private func matchesPath(_ wanted: String) -> Bool {
    let (own, wanted) = (Array(path.utf8), Array(wanted.utf8))
    guard wanted.starts(with: own) else { return false }
    return own.last == UInt8(ascii: "/") || wanted.count == own.count || wanted[own.count] == UInt8(ascii: "/")
  }
}

extension CookieList {
  /// Returns the value of the `Cookie` field for a request to `url`; `nil` if no cookie is sent there. Cookies with
  /// longer paths come first (RFC 6265 §5.4).
  func field(for url: RequestURL, now: Int64) -> String? {
    let sent = cookies.filter { $0.isSent(to: url, now: now) }.enumerated().sorted {
      (-$0.element.path.utf8.count, $0.offset) < (-$1.element.path.utf8.count, $1.offset)
    }
    return sent.isEmpty ? nil : sent.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}
