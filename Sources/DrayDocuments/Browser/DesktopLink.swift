// Links `web+dray:URL`, which a web page may have and a desktop hands to dray. Any page can have one, so such a link says
// only which URL to fetch: no options, no password, no other schemes.

package import DrayCore

package enum DesktopLink {
  package static let scheme = "web+dray"
  private static let fetched: Set<String> = ["http", "https", "ftp"]

  /// Whether a text is such a link.
  package static func isLink(_ text: String) -> Bool {
    let start = scheme + ":"
    return text.utf8.count >= start.utf8.count && text.prefix(start.count).lowercased() == start
  }

  /// Returns the URL of a link. It follows the colon as it is, or percent-encoded as a whole.
  package static func url(_ text: String) throws(BrowserProblem) -> RequestURL {
    guard isLink(text) else { throw .invalid("a link begins with \(scheme):") }
    guard text.utf8.count <= 3 * RequestURL.longest else { throw .invalid("the link is too long") }
    let rest = text.dropFirst(scheme.count + 1)
    var typed = String(rest)
    // The colon after the scheme is encoded if, and only if, the whole URL is.
    if !rest.contains(":") { typed = String(decoding: PercentText.decoded(Array(rest.utf8)), as: UTF8.self) }
    // Otherwise the parser would add a scheme, as it does for typed URLs.
    guard typed.contains("://") else { throw .invalid("the link has no URL with a scheme") }
    let parsed: RequestURL.Parsed
    do throws(URLParseError) { parsed = try RequestURL.parse(typed) } catch {
      throw .invalid("the link has no valid URL: \(error.message)")
    }
    guard fetched.contains(parsed.url.scheme) else {
      throw BrowserProblem(.refused, "links to \(parsed.url.scheme) URLs are not followed")
    }
    guard parsed.userInfo == nil else { throw BrowserProblem(.refused, "links with a user name are not followed") }
    return parsed.url
  }

  /// Returns the message with which the extension would add the URL.
  package static func message(adding url: RequestURL) -> [UInt8] {
    var json = JSONText()
    json.beginObject()
    json.field("id", 1)
    json.field("type", "add")
    json.field("url", url.string)
    json.field("post", false)
    json.field("origin", "link")
    json.endObject()
    return Array(json.bytes)
  }
}
