// Uses libcurl's cookie engine independently of handles: a transfer keeps its cookies, whichever handle it gets.

internal import CCurl

/// The cookies of a transfer, which libcurl keeps by its rules (RFC 6265, the public suffix list, name prefixes).
///
/// libcurl needs a share to keep cookies for longer than a handle is used. This engine is such a share, which contains
/// nothing but cookies. The engine belongs to one thread, as do the handles that use it.
public final class CookieEngine {
  let raw: UnsafeMutableRawPointer

  /// Creates an empty engine.
  /// - Throws: ``CurlError`` if libcurl cannot be set up or has no memory.
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
  /// Makes the requests of this handle send the cookies of `engine` and keep new ones in it, until ``reset()``.
  public func use(_ engine: CookieEngine) throws(CurlError) {
    cookieEngine = engine
    _ = ccurl_setopt_pointer(raw, CURLOPT_SHARE, engine.raw)
    // With an empty name, libcurl reads no file, but enables the engine.
    try set(Option<String>(raw: CURLOPT_COOKIEFILE), "")
  }

  /// Adds a cookie to the engine that this handle uses. The cookie is a line in Netscape's format. A line that libcurl
  /// does not accept is skipped.
  public func addCookie(_ line: String) {
    _ = ccurl_setopt_string(raw, CURLOPT_COOKIELIST, line)
  }

  /// The cookies of the engine that this handle uses, as lines in Netscape's format, without those that have expired.
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
