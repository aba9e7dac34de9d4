// Decides which pages may change something or open WebSockets. Any site can make a browser send requests to this
// machine.

public import WebServer

/// Checks `Origin` (RFC 6454 §7; RFC 6455 §10.2) and `Sec-Fetch-Site` (W3C Fetch Metadata).
public enum OriginRule {
  /// Whether a request that may change something or opens a WebSocket comes from a permitted page.
  ///
  /// Programs send neither field. Browsers send `Origin` with all such requests except plain GETs (an image, a link).
  /// For those, `Sec-Fetch-Site` says whether another site caused them.
  public static func allows(_ fields: WebFields, named: [WebOrigin]) -> Bool {
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

  /// Returns the named origin of a request; `nil` for the server's own pages and for programs.
  static func foreign(_ fields: WebFields, named: [WebOrigin]) -> String? {
    guard let text = fields["Origin"], let origin = WebOrigin(text), !origin.isOwn(host: fields["Host"]) else {
      return nil
    }
    return named.contains { $0.covers(origin) } ? text : nil
  }
}
