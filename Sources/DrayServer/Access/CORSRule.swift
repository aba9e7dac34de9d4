// Decides what pages of other origins may read: nothing, unless the configuration names the page's origin.

internal import WebServer

/// The rule for cross-origin requests (Fetch Standard, "CORS protocol").
enum CORSRule {
  /// Returns the fields that let a page of a named origin read the answer; for any other origin, none of them. Such a
  /// page never gets permission to use cookies.
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
    // With this field, a page on the internet asks for access to this machine (Private Network Access).
    if head.fields["Access-Control-Request-Private-Network"] != nil {
      fields["Access-Control-Allow-Private-Network"] = "true"
    }
    return WebResponse(204, fields)
  }
}
