// The paths of the API: what each takes, what it answers, and which call it comes to. The OpenAPI document is made of these.

internal import DrayCore
internal import DrayDocuments

/// What a request brings to its route.
struct APIInput: Sendable {
  /// The parts of the path that stand in braces.
  var parts: [String: String] = [:]
  /// The fields of the query.
  var query: [String: String] = [:]
  /// The body; an empty object where there is none.
  var body = JSONNode.emptyObject
  /// The fields of the head.
  var fields: WebFields = [:]

  /// The number of the job in the path.
  /// - Throws: 404 for what is no number.
  func id() throws(APIFailure) -> JobID {
    let text = parts["id"] ?? ""
    guard let id = JobID(text), id > 0, String(id) == text else {
      throw APIFailure(404, .notFound, "\(TextSafety.escaped(text.start(40))) is not the number of a job")
    }
    return id
  }

  /// A whole number of the query.
  func number(_ name: String, _ range: ClosedRange<Int64>) throws(APIFailure) -> Int64? {
    guard let text = query[name] else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw .bad("\(name) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// An answer that a route may give.
struct APIAnswer: Sendable {
  var status: Int
  var meaning: String
  /// nil has no body.
  var schema: APISchema?
  var mediaType = "application/json"

  init(_ status: Int, _ meaning: String, _ schema: APISchema?, mediaType: String = "application/json") {
    (self.status, self.meaning, self.schema, self.mediaType) = (status, meaning, schema, mediaType)
  }
}

/// A method and a path.
struct APIRoute: Sendable {
  var method: String
  /// Below ``APIRoutes/root``; a part in braces is any.
  var path: String
  /// What it does, for people.
  var summary: String
  /// Fields of the query.
  var query: [APIField] = []
  /// Fields of the head.
  var heads: [APIField] = []
  /// What the body must be; nil takes none.
  var body: APISchema?
  /// The answers of success.
  var answers: [APIAnswer]
  /// The statuses of errors that it may answer with, beside those of every route.
  var errors: [Int] = []
  /// The call that a request comes to, whose body fits.
  var read: @Sendable (APIInput) throws(APIFailure) -> APICall

  /// Whether it changes anything.
  var writes: Bool { method != "GET" }

  /// The words of the path.
  var words: [Substring] { path.split(separator: "/") }

  /// The parts of a path in braces; nil where it is not this route's.
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
