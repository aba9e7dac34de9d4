// Reads requests as calls.

internal import DrayCore
internal import DrayDocuments
internal import WebServer

enum APIReading {
  /// Whether a path belongs to the API.
  static func isOwn(_ path: String) -> Bool { path == APIRoutes.root || path.hasPrefix(APIRoutes.root + "/") }

  static func call(of request: WebRequest) throws(APIFailure) -> APICall {
    let words = request.path.dropFirst(APIRoutes.root.utf8.count).split(
      separator: "/", omittingEmptySubsequences: false)
    let path = Array(words.dropFirst())
    let method = request.method == "HEAD" ? "GET" : request.method
    let here = APIRoutes.all.compactMap { route in route.match(path).map { (route: route, parts: $0) } }
    guard !here.isEmpty else {
      throw APIFailure(
        404, .notFound, "no such path: \(TextSafety.escaped(request.path.start(200)))",
        advice: "GET \(APIRoutes.root)/openapi.json describes what there is")
    }
    // A route with a fixed word takes precedence over a route with a part in braces.
    let fixed = here.filter { $0.parts.isEmpty }
    guard let found = (fixed.isEmpty ? here : fixed).first(where: { $0.route.method == method }) else {
      let allowed = Set((fixed.isEmpty ? here : fixed).map(\.route.method)).sorted().joined(separator: ", ")
      var failure = APIFailure(405, .badRequest, "it takes \(allowed) only")
      failure.fields["Allow"] = allowed
      throw failure
    }
    var input = APIInput(parts: found.parts, query: try query(request.query), fields: request.fields)
    if found.route.writes { input.body = try body(of: request, found.route) }
    return try found.route.read(input)
  }

  /// Returns the body of a request after checking it against the route. The request must have the media type of JSON,
  /// which a form on another site cannot send.
  private static func body(of request: WebRequest, _ route: APIRoute) throws(APIFailure) -> JSONNode {
    let type = request.fields["Content-Type"]?.split(separator: ";").first.map { $0.utf8.trimmingBlanks }
    guard type.map({ String(decoding: $0, as: UTF8.self).lowercased() == "application/json" }) ?? false else {
      throw APIFailure(415, .badRequest, "a write needs Content-Type: application/json")
    }
    var node = JSONNode.emptyObject
    if request.body.contains(where: { $0 > 0x20 }) {
      do throws(DocumentError) {
        node = try JSONNode.parse(request.body, kind: APISchema.body)
      } catch {
        throw .bad("\(APISchema.body): \(error)")
      }
    }
    try (route.body ?? .object([])).check(node, APISchema.body)
    return node
  }

  /// Returns the fields of a query by name. If a field is repeated, the first one counts.
  private static func query(_ text: String?) throws(APIFailure) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text?.split(separator: "&") ?? [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.map { part in
        String(validating: PercentText.decoded(part.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }), as: UTF8.self)
      }
      guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
        throw .bad("the query is not UTF-8")
      }
      if fields[name] == nil { fields[name] = value }
    }
    return fields
  }

  /// Returns the key by which a repeated call that adds jobs is recognised; `nil` if the request has no key.
  /// - Throws: ``APIFailure`` if the key is too long or is not printable ASCII.
  static func key(of request: WebRequest) throws(APIFailure) -> String? {
    guard let key = request.fields["Idempotency-Key"] else { return nil }
    guard (1...AddOrder.longestKey).contains(key.utf8.count), key.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      throw .bad("Idempotency-Key must have 1 to \(AddOrder.longestKey) characters of ASCII")
    }
    return key
  }
}
