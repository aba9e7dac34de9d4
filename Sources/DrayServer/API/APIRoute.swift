// The routes of the API: the inputs and answers of each route, and the call that the route makes. The OpenAPI document
// is generated from them.

internal import DrayCore
internal import DrayDocuments
internal import WebServer

struct APIInput: Sendable {
  /// The values of the path's parts that are in braces.
  var parts: [String: String] = [:]
  var query: [String: String] = [:]
  var body = JSONNode.emptyObject
  var fields: WebFields = [:]

  /// Returns the number of the job that the path names.
  /// - Throws: ``APIFailure`` with 404 if the text is not a number.
  func id() throws(APIFailure) -> JobID {
    let text = parts["id"] ?? ""
    guard let id = JobID(text), id > 0, String(id) == text else {
      throw APIFailure(404, .notFound, "\(TextSafety.escaped(text.start(40))) is not the number of a job")
    }
    return id
  }

  func number(_ name: String, _ range: ClosedRange<Int64>) throws(APIFailure) -> Int64? {
    guard let text = query[name] else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw .bad("\(name) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

struct APIAnswer: Sendable {
  var status: Int
  var meaning: String
  var schema: APISchema?
  var mediaType = "application/json"

  init(_ status: Int, _ meaning: String, _ schema: APISchema?, mediaType: String = "application/json") {
    (self.status, self.meaning, self.schema, self.mediaType) = (status, meaning, schema, mediaType)
  }
}

struct APIRoute: Sendable {
  var method: String
  /// The path, without ``APIRoutes/root`` at its beginning. A part in braces matches any text.
  var path: String
  var summary: String
  var query: [APIField] = []
  /// The header fields that a request may have.
  var heads: [APIField] = []
  var body: APISchema?
  /// The answers to successful calls.
  var answers: [APIAnswer]
  /// The statuses of the route's errors, in addition to those that every route can have.
  var errors: [Int] = []
  /// Returns the call for a request whose body matches the schema.
  var read: @Sendable (APIInput) throws(APIFailure) -> APICall

  var writes: Bool { method != "GET" }

  var words: [Substring] { path.split(separator: "/") }

  /// Returns the values of the parts in braces; `nil` if the path does not match this route.
  func match(_ asked: [Substring]) -> [String: String]? {
    let words = words
    guard words.count == asked.count else { return nil }
    var parts: [String: String] = [:]
    for (word, given) in zip(words, asked) {
      if word.hasPrefix("{") {
        parts[String(word.dropFirst().dropLast())] = String(given)
      } else if word != given {
        return nil
      }
    }
    return parts
  }
}
