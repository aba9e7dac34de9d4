// The client that sources use: their queries go through the engine, like all other documents.

package import DrayCore
package import DrayDocuments
internal import DrayEngine
internal import Threads

/// Sends the queries of sources with the connection options of a request: proxy, trust, addresses, timeouts.
package struct SourceConnection: SourceClient {
  /// Where tokens are.
  package let places: TokenPlaces
  /// The user's choices for names.
  package var choices = SourceChoices()
  private let engine: Engine
  /// Keeps the engine running; `nil` if somebody else does.
  private let hold: EngineHold?
  private let template: TransferRequest
  private let waiting: @Sendable (_ failure: Failure, _ delay: Double) -> Void
  /// The name about which sources ask, for reports.
  private var name: SourceName?

  /// - Parameters:
  ///   - template: The request whose connection options apply. Its secrets are never sent.
  ///   - waiting: Called before each wait for a temporary failure, with the seconds of the wait.
  init(
    _ engine: Engine, _ template: TransferRequest, _ places: TokenPlaces, keeping hold: EngineHold? = nil,
    waiting: @escaping @Sendable (_ failure: Failure, _ delay: Double) -> Void = { _, _ in }
  ) {
    (self.engine, self.hold, self.places, self.waiting) = (engine, hold, places, waiting)
    var template = template.withoutSecrets
    (template.cache, template.cookies) = (nil, nil)
    self.template = template
  }

  /// Returns this client with a name for its reports.
  public func asking(for name: SourceName) -> any SourceClient {
    var client = self
    client.name = name
    return client
  }

  /// Sends a query. A temporary failure is retried a few times, because no query changes anything.
  package func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
    let request = try request(query)
    var record = RetryRecord()
    while true {
      let failure: Failure
      do throws(Failure) {
        let answer = try await engine.ask(
          request, accept: query.accept, body: query.body, statuses: query.statuses, longest: query.limit)
        // Sources interpret refused access themselves. A rate limit that is used up means the same for all of them.
        let now = Int64(WallClock.now())
        guard !ServerWait(answer.head, now: now).isLimit else {
          throw StatusRule.failure(answer.head, subject: request.url.description, now: now)
        }
        return SourceResponse(head: answer.head, finalURL: answer.finalURL, body: answer.bytes)
      } catch {
        failure = error.ofNoJob
      }
      let decision = choices.patience.policy.decide(
        failure, record: &record, AttemptFacts.Progress(kept: 0), jitter: Double.random(in: 0..<1))
      guard case .retry(let delay) = decision else {
        if case .giveUp(_, let reported) = decision { throw reported.ofNoJob }
        throw failure
      }
      waiting(name.map { failure.of(name: $0.shown) } ?? failure, delay)
      do { try await Task.sleep(for: .seconds(delay)) } catch { throw failure }
    }
  }

  private func request(_ query: SourceQuery) throws(Failure) -> TransferRequest {
    guard Scheme(query.url)?.speaksHTTP ?? false else {
      throw Failure(.usage, query.url.description, "sources are asked over http and https only")
    }
    var request = template
    (request.url, request.method, request.headers) = (query.url, query.method, query.headers)
    for field in query.headers where !FieldRule.isValue(field.value) || !FieldRule.isToken(field.name.utf8) {
      // The value may be a token from a file with a line end in it.
      throw Failure(
        .usage, query.url.description, "the value of \(TextSafety.escaped(field.name)) contains a control character",
        advice: "check where the token is stored")
    }
    return request
  }
}

extension DownloadManager {
  /// Returns a client for sources.
  /// - Parameters:
  ///   - template: A request with the connection options to use; its URL and its secrets are not used.
  ///   - manager: The manager whose engine is used; `nil` for a new engine.
  ///   - hosts: Additional settings for requests to some hosts, if there is no manager.
  ///   - places: Where tokens are.
  ///   - choices: The user's choices where a name stands for several things.
  ///   - waiting: Called before each wait for a temporary failure, with the seconds of the wait.
  package static func sourceClient(
    _ template: TransferRequest, knowing manager: DownloadManager? = nil, hosts: HostRules = HostRules(),
    places: TokenPlaces = .user, choices: SourceChoices = SourceChoices(),
    waiting: @escaping @Sendable (_ failure: Failure, _ delay: Double) -> Void = { _, _ in }
  ) async throws(Failure) -> any SourceClient {
    try CredentialRule.check(template)
    let executor = manager?.executor ?? BlockingExecutor("dray.source")
    let hold = try await executor.run { () async throws(Failure) in
      if let manager { return try await manager.engine() }
      return EngineHold(try Engine(transport: await transport(of: nil), hosts: hosts))
    }
    var client = SourceConnection(hold.engine, template, places, keeping: hold, waiting: waiting)
    client.choices = choices
    return client
  }
}
