// Decides what pages of other origins may read: nothing, unless the origin is named.

internal import WebServer

/// Cross-origin requests (Fetch Standard, "CORS protocol").
enum CORSRule {
  /// Returns the fields that let a page of a named origin read the answer; none for any other. Cookies are never
  /// permitted.
  static func fields(_ head: WebFields, named: [WebOrigin]) -> WebFields {
    guard !named.isEmpty else { return [:] }
    // Caches must not serve the answer for one origin to another.
    var fields: WebFields = ["Vary": "Origin"]
    if let origin = OriginRule.foreign(head, named: named) { fields["Access-Control-Allow-Origin"] = origin }
    return fields
  }

  static func preflight(_ head: WebRequest, named: [WebOrigin]) -> WebResponse? {
    guard head.method == "OPTIONS", head.fields["Access-Control-Request-Method"] != nil,
      OriginRule.foreign(head.fields, named: named) != nil
    else { return nil }
    var fields = fields(head.fields, named: named)
    fields["Access-Control-Allow-Methods"] = "GET, POST, PUT, PATCH, DELETE"
    fields["Access-Control-Allow-Headers"] = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
    fields["Access-Control-Max-Age"] = "600"
    // A page on the internet wants to access this machine (Private Network Access).
    if head.fields["Access-Control-Request-Private-Network"] != nil {
      fields["Access-Control-Allow-Private-Network"] = "true"
    }
    return WebResponse(204, fields)
  }
}
