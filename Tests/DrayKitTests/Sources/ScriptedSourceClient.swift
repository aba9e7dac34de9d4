// A client of sources with answers by URL, which remembers what it was asked.

import DrayCore
import DrayKit
import Synchronization

/// Answers like the real client: a status that a source does not want to see becomes a failure.
final class ScriptedSourceClient: SourceClient {
  struct Answer {
    var status = 200
    var fields: [HeaderField] = []
    var body = ""
    /// Where redirects ended; `nil` for the URL that was asked.
    var end: String?
  }

  let places: TokenPlaces
  private let answers: [String: Answer]
  private let seen = Mutex<[SourceQuery]>([])

  init(_ answers: [String: Answer], environment: [String: String] = [:]) {
    self.answers = answers
    places = TokenPlaces(environment: environment, home: nil) { _ in nil }
  }

  var queries: [SourceQuery] { seen.withLock(\.self) }
  var urls: [String] { queries.map(\.url.string) }

  func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
    seen.withLock { $0.append(query) }
    let answer = answers[query.url.string] ?? Answer(status: 404)
    let head = ResponseHead(status: answer.status, fields: answer.fields)
    guard (200...299).contains(answer.status) || query.statuses.contains(answer.status) else {
      throw StatusRule.failure(head, subject: query.url.description, now: 1_000_000_000)
    }
    let end = answer.end.flatMap { try? RequestURL.parse($0).url } ?? query.url
    return SourceResponse(head: head, finalURL: end, body: Array(answer.body.utf8))
  }
}
