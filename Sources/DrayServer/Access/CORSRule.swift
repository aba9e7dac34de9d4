// What pages of other origins may read: nothing, but for origins that are named.

/// Cross-origin requests (Fetch Standard, "CORS protocol").
enum CORSRule {
  /// The fields that let a page of a named origin read the answer; none for anybody else. Cookies are never allowed along.
  static func fields(_ head: WebFields, named: [WebOrigin]) -> WebFields {
    guard !named.isEmpty else { return [:] }
    // Caches must not give the answer for one origin to another.
    var fields: WebFields = ["Vary": "Origin"]
    if let origin = OriginRule.foreign(head, named: named) { fields["Access-Control-Allow-Origin"] = origin }
    return fields
  }

  /// The answer to a browser that asks whether it may ask; nil for any other request.
  static func preflight(_ head: WebRequest, named: [WebOrigin]) -> WebResponse? {
    guard head.method == "OPTIONS", head.fields["Access-Control-Request-Method"] != nil,
      OriginRule.foreign(head.fields, named: named) != nil
    else { return nil }
    var fields = fields(head.fields, named: named)
    fields["Access-Control-Allow-Methods"] = "GET, POST, PUT, PATCH, DELETE"
    fields["Access-Control-Allow-Headers"] = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
    fields["Access-Control-Max-Age"] = "600"
    // A page of the internet asks for this machine (Private Network Access).
    if head.fields["Access-Control-Request-Private-Network"] != nil {
      fields["Access-Control-Allow-Private-Network"] = "true"
    }
    return WebResponse(204, fields)
  }
}
