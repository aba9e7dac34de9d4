// Decides which pages may change something or open a WebSocket. Without this rule, any site could make a browser change
// something here, because a browser sends requests to this machine for every page.

package import WebServer

/// Checks `Origin` (RFC 6454 §7; RFC 6455 §10.2) and `Sec-Fetch-Site` (W3C Fetch Metadata).
package enum OriginRule {
  /// Whether a request that may change something, or that opens a WebSocket, comes from a permitted page.
  ///
  /// Programs other than browsers send neither field. Browsers send `Origin` with all such requests except plain GETs
  /// (for an image or a link). For plain GETs, `Sec-Fetch-Site` says whether another site caused them.
  package static func allows(_ fields: WebFields, named: [WebOrigin]) -> Bool {
    let origins = fields.all("Origin")
    guard origins.count < 2 else { return false }
    if let text = origins.first {
      guard let origin = WebOrigin(text) else { return false }
      return origin.isOwn(host: fields["Host"]) || named.contains { $0.covers(origin) }
    }
    switch fields["Sec-Fetch-Site"] {
    case nil, "same-origin", "none": return true
    default: return false
    }
  }

  /// Returns the origin of a request if the configuration names it; `nil` for the server's own pages and for programs.
  static func foreign(_ fields: WebFields, named: [WebOrigin]) -> String? {
    guard let text = fields["Origin"], let origin = WebOrigin(text), !origin.isOwn(host: fields["Host"]) else {
      return nil
    }
    return named.contains { $0.covers(origin) } ? text : nil
  }
}
