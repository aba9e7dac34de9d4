// The batch API of git-lfs, which says where objects are:
// https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md

package import DrayCore

/// Where an object is.
package struct LFSAction: Sendable, Equatable {
  package var url: RequestURL
  /// The header fields for the origin of ``url``.
  package var headers: [HeaderField]
  /// The time after which the server may refuse the URL, in seconds since 1970; `nil` if it states none.
  package var expiresAt: Double?
  /// Whether the URL and the fields prove who asks, so that no password is needed.
  package var isAuthenticated: Bool

  package init(
    _ url: RequestURL, headers: [HeaderField] = [], expiresAt: Double? = nil, isAuthenticated: Bool = false
  ) {
    (self.url, self.headers, self.expiresAt) = (url, headers, expiresAt)
    self.isAuthenticated = isAuthenticated
  }
}

/// What a server says about one object.
package enum LFSOutcome: Sendable, Equatable {
  case action(LFSAction)
  case problem(LFSProblem)
}

/// Questions of the batch API and their answers.
package enum LFSBatch {
  /// The media type of questions and answers.
  package static let type = "application/vnd.git-lfs+json"
  /// The maximum number of objects in a question. Servers refuse more.
  package static let most = 100
  private static let kind = "an answer of the batch API"
  private static let mostFields = 64

  /// Returns the question for objects.
  package static func question(_ objects: [LFSObject]) -> [UInt8] {
    var json = JSONText()
    json.beginObject()
    json.field("operation", "download")
    json.key("transfers")
    json.beginArray()
    json.value("basic")
    json.endArray()
    json.key("objects")
    json.beginArray()
    for object in objects {
      json.beginObject()
      json.field("oid", object.oid)
      json.field("size", object.size)
      json.endObject()
    }
    json.endArray()
    json.field("hash_algo", "sha256")
    json.endObject()
    return json.bytes
  }

  /// Reads an answer. An object that is missing from it gets a problem.
  /// - Parameters:
  ///   - base: The URL that answered.
  ///   - now: In seconds since 1970.
  /// - Throws: ``DocumentError`` if the answer as a whole cannot be used.
  package static func outcomes(
    of objects: [LFSObject], in bytes: [UInt8], base: RequestURL, now: Double
  ) throws(DocumentError) -> [String: LFSOutcome] {
    let root = try JSONNode.parse(bytes, kind: kind)
    if let transfer = root["transfer"]?.string, transfer != "basic" {
      throw DocumentError(kind, "it wants the transfer \(quote(transfer.start(40))), but only basic is known")
    }
    if let algorithm = root["hash_algo"]?.string, algorithm != "sha256" {
      throw DocumentError(kind, "its objects are named by \(quote(algorithm.start(40))), not by SHA-256")
    }
    guard let nodes = root["objects"]?.array else { throw DocumentError(kind, "it has no objects") }
    guard nodes.count <= max(most, objects.count) else { throw DocumentError(kind, "it has too many objects") }
    let sizes = Dictionary(objects.map { ($0.oid, $0.size) }) { one, _ in one }
    var outcomes: [String: LFSOutcome] = [:]
    for node in nodes {
      guard let oid = node["oid"]?.string, let size = sizes[oid], outcomes[oid] == nil else { continue }
      outcomes[oid] = outcome(node, size, base, now)
    }
    for object in objects where outcomes[object.oid] == nil {
      outcomes[object.oid] = .problem(LFSProblem(code: 404, message: "the server's answer lacks the object"))
    }
    return outcomes
  }

  private static func outcome(_ node: JSONNode, _ size: Int64, _ base: RequestURL, _ now: Double) -> LFSOutcome {
    func wrong(_ message: String) -> LFSOutcome {
      .problem(LFSProblem(code: Int(ExitStatus.protocolViolation.rawValue), message: message))
    }
    if let error = node["error"], error.value != .null {
      let words = error["message"]?.string.map(shown) ?? "the server refuses the object without a reason"
      let code = error["code"]?.integer.flatMap { Int(exactly: $0) } ?? 0
      return .problem(LFSProblem(code: (100...999).contains(code) ? code : 500, message: words))
    }
    if let other = node["size"]?.integer, other != size {
      return wrong("the server's object has \(other) bytes instead of \(size)")
    }
    guard let download = node["actions"]?["download"] ?? node["_links"]?["download"] else {
      return wrong("the server's answer has no link to the object")
    }
    guard let text = download["href"]?.string, let url = ServiceAddress.resolve(text, against: base) else {
      return wrong("the server's link to the object cannot be used: it must be http or https")
    }
    guard let headers = fields(download["header"]) else {
      return wrong("a header field for the server's link to the object cannot be sent")
    }
    var action = LFSAction(url, headers: headers)
    if case .bool(true)? = node["authenticated"]?.value { action.isAuthenticated = true }
    action.expiresAt = expiry(download, now)
    return .action(action)
  }

  /// Returns the header fields, without those that dray sets itself; `nil` if one cannot be sent.
  static func fields(_ node: JSONNode?) -> [HeaderField]? {
    guard let node, node.value != .null else { return [] }
    guard let members = node.object, members.count <= mostFields else { return nil }
    var fields: [HeaderField] = []
    for member in members {
      guard let value = member.value.string, FieldRule.isToken(member.name.utf8), FieldRule.isValue(value) else {
        return nil
      }
      guard !FieldRule.isOwn(member.name, from: .client) else { continue }
      fields.append(HeaderField(member.name, value))
    }
    return fields
  }

  /// Returns when a link expires. A number of seconds is preferred to a time, because clocks differ.
  static func expiry(_ node: JSONNode, _ now: Double) -> Double? {
    if let seconds = node["expires_in"]?.integer, seconds != 0 { return now + Double(seconds) }
    guard let text = node["expires_at"]?.string, let time = FeedDate.parse(text) else { return nil }
    // Go's empty time, which some servers send for none.
    return time > 0 ? time : nil
  }

  /// Returns the server's words for a refusal; `nil` if there are none.
  package static func words(in bytes: [UInt8]) -> String? {
    guard let root = try? JSONNode.parse(bytes, kind: kind), let text = root["message"]?.string, !text.isEmpty else {
      return nil
    }
    return shown(text)
  }

  private static func shown(_ text: String) -> String {
    TextSafety.escaped(URLRedaction.redactingURLs(in: text.start(500)))
  }
}
