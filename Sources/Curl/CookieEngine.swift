// libcurl's cookie engine, separate from any handle: a transfer has its own cookies, whichever handle it gets.

internal import CCurl

/// The cookies of one transfer, kept by libcurl's rules (RFC 6265, the public suffix list, prefixes of names).
///
/// libcurl can only keep cookies for longer than a handle's use in a share, so this is a share of cookies and of
/// nothing else. It belongs to one thread, like the handles that use it.
public final class CookieEngine {
  let raw: UnsafeMutableRawPointer

  /// Makes an empty one.
  /// - Throws: ``CurlError`` when libcurl cannot be set up, or has no memory for it.
  public init() throws(CurlError) {
    try LibCurl.initialize()
    guard let raw = curl_share_init() else { throw CurlError(.init(CURLE_OUT_OF_MEMORY)) }
    self.raw = raw
    guard ccurl_share_cookies(raw) == CURLSHE_OK else {
      curl_share_cleanup(raw)
      throw CurlError(.init(CURLE_OUT_OF_MEMORY), "libcurl was built without cookies")
    }
  }

  deinit { curl_share_cleanup(raw) }
}

extension EasyHandle {
  /// Makes the following requests send and keep the cookies of `engine`, until ``reset()``.
  public func use(_ engine: CookieEngine) throws(CurlError) {
    cookieEngine = engine
    _ = ccurl_setopt_pointer(raw, CURLOPT_SHARE, engine.raw)
    // An empty name reads no file, and switches the engine on.
    try set(Option<String>(raw: CURLOPT_COOKIEFILE), "")
  }

  /// Adds a cookie, a line in Netscape's format, to the engine in use. What libcurl does not accept is skipped.
  public func addCookie(_ line: String) {
    _ = ccurl_setopt_string(raw, CURLOPT_COOKIELIST, line)
  }

  /// The cookies of the engine in use, as lines in Netscape's format; expired ones are not among them.
  public var cookies: [String] {
    var list: UnsafeMutablePointer<curl_slist>?
    guard ccurl_getinfo_list(raw, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
    defer { curl_slist_free_all(list) }
    var lines: [String] = []
    var item = list
    while let one = item {
      if let data = one.pointee.data { lines.append(String(cString: data)) }
      item = one.pointee.next
    }
    return lines
  }
}
