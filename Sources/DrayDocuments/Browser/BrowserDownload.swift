// A download that a browser hands over: a URL, and how the browser asked for it.

package import DrayCore

package struct BrowserDownload: Sendable, Equatable {
  /// The URL that answered, after redirects.
  package var url: RequestURL
  package var user: RequestURL.UserInfo?
  /// The name of the file, safe for any directory; `nil` lets the server name it.
  package var name: String?
  /// The value of `Cookie`; `nil` if no cookie is for this URL.
  package var cookie: String?
  /// Whether the message has cookies, even if none of them is for this URL.
  package var hasCookies: Bool
  package var referer: String?
  package var userAgent: String?
  /// The length in bytes that the server told the browser. An answer of another length, such as a page for the login,
  /// is not this file (P12).
  package var size: Int64?
  /// Whether the browser sent a form to get the file.
  package var isPost: Bool

  package static let mostCookies = 1000
  /// The maximum length of all cookies in bytes; servers accept less.
  package static let longestCookies = 64 << 10
  private static let longestAgent = 1024

  package init(url: RequestURL) {
    (self.url, hasCookies, isPost) = (url, false, false)
  }

  init(_ fields: BrowserFields, now: Int64) throws(BrowserProblem) {
    let parsed = try fields.url("url")
    (url, user) = (parsed.url, parsed.userInfo)
    isPost = try fields.flag("post")
    name = try fields.name("name")
    size = try fields.count("size")
    let list = try fields.list("cookies", most: BrowserDownload.mostCookies)
    hasCookies = list != nil
    let cookies = CookieList((list ?? []).compactMap(BrowserDownload.cookie))
    cookie = cookies.field(for: url, now: now)
    guard cookie?.utf8.count ?? 0 <= BrowserDownload.longestCookies else {
      throw .invalid("the cookies are longer than \(BrowserDownload.longestCookies >> 10) KiB")
    }
    referer = BrowserDownload.referer(try fields.text("referrer", most: RequestURL.longest), for: url)
    userAgent = try fields.text("userAgent", most: BrowserDownload.longestAgent)
    if let text = userAgent, text.isEmpty { userAgent = nil }
    guard userAgent.map(FieldRule.isValue) ?? true else { throw .invalid("userAgent contains a control character") }
  }

  /// Sets what a request of dray needs to be answered like the browser's.
  package func put(into request: inout TransferRequest) {
    if hasCookies {
      request.cookie = cookie
      // The browser's cookies are all that it would send. One of an earlier login in dray's own jar would go before them.
      var options = request.cookies ?? CookieOptions()
      options.ignoresOwnJar = true
      request.cookies = options
    }
    if let referer { request.referer = referer }
    if let userAgent { request.userAgent = userAgent }
  }

  /// Reads a cookie as browsers describe it; `nil` for one that cannot be sent.
  private static func cookie(_ node: JSONNode) -> Cookie? {
    guard let name = node["name"]?.string, let value = node["value"]?.string, let domain = node["domain"]?.string else {
      return nil
    }
    func isSet(_ field: String) -> Bool { node[field]?.value == .bool(true) }
    var expires: Int64?
    if case .number(let digits)? = node["expirationDate"]?.value {
      // 0 means a session cookie in other formats, but not here.
      guard let seconds = Double(digits), seconds.magnitude < 1e15 else { return nil }
      expires = max(1, Int64(seconds))
    }
    // A browser that tells nothing about the host writes a dot before a domain whose subdomains get the cookie.
    let isOfHost = node["hostOnly"].map { $0.value == .bool(true) } ?? !domain.hasPrefix(".")
    let cookie = Cookie(
      domain: domain, includesSubdomains: !isOfHost, path: node["path"]?.string ?? "/", isSecure: isSet("secure"),
      isHTTPOnly: isSet("httpOnly"), expires: expires, name: name, value: value)
    return cookie.isWellFormed ? cookie : nil
  }

  /// Returns the `Referer` for a request to `url`: without user name and fragment, and not from a page over https to a
  /// server without it (RFC 9110 §10.1.3).
  private static func referer(_ text: String?, for url: RequestURL) -> String? {
    guard let text, text.contains("://"), let page = try? RequestURL.parse(text).url,
      page.scheme == "http" || page.scheme == "https", page.scheme == "http" || url.scheme == "https"
    else { return nil }
    return page.string
  }
}
