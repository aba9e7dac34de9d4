// Calls a service for `dray --host http://…`, and turns the errors of the service into failures.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer

/// Makes the calls of one command. The secret is sent only to this service (P7).
actor RemoteCalls {
  /// The URL of the service, without a slash at its end.
  nonisolated let base: String
  private var client: ServiceClient
  /// Asks the user for the secret; `nil` once the secret is known.
  private var ask: (@Sendable (String) -> String?)?

  /// - Parameters:
  ///   - secret: The secret; `nil` if it is not known.
  ///   - ask: Asks the user for the secret.
  init(_ base: String, secret: String?, ask: @escaping @Sendable (String) -> String?) throws(Failure) {
    self.base = base
    client = try ServiceClient(base, secret: secret)
    self.ask = secret == nil ? ask : nil
  }

  /// Makes a call, and returns the answer.
  /// - Parameter key: The key by which the service recognises that a call is repeated.
  /// - Throws: The error that the service reports, or the reason why the service does not answer.
  @discardableResult
  func call(
    _ method: String, _ path: String, _ json: JSONText? = nil, key: String? = nil
  ) async throws(Failure) -> JSONNode {
    var answer = try await answer(method, path, json, key)
    if answer.status == 401, let ask, let secret = ask("Secret of \(TextSafety.escaped(base)): "),
      Secret(secret) != nil
    {
      client = try ServiceClient(base, secret: secret)
      answer = try await self.answer(method, path, json, key)
    }
    ask = nil
    let node = try? JSONNode.parse(answer.bytes, kind: "an answer")
    guard (200...299).contains(answer.status) else {
      throw RemoteCalls.failure(answer.status, node?["error"], subject: "--host \(TextSafety.escaped(base))")
    }
    guard let node else {
      throw Failure(
        .protocolViolation, "--host \(TextSafety.escaped(base))", "no service of dray answers there",
        advice: "use the address that `dray serve --status` shows")
    }
    return node
  }

  private func answer(
    _ method: String, _ path: String, _ json: JSONText?, _ key: String?
  ) async throws(Failure) -> ServiceClient.Answer {
    do throws(Failure) { return try await client.call(method, path, body: json?.bytes, key: key) } catch {
      throw RemoteCalls.unanswered(error)
    }
  }

  /// Returns the failure of a call that a service did not answer.
  static func unanswered(_ failure: Failure) -> Failure {
    guard failure.kind == .network else { return failure }
    var copy = failure
    copy.advice = "does `dray serve` run there?"
    return copy
  }

  static func failure(_ status: Int, _ error: JSONNode?, subject: String) -> Failure {
    if status == 401 {
      return Failure(
        .authentication, subject, "the secret is missing or wrong",
        advice: "--secret-file FILE names it; on that machine `dray serve --show-secret` prints it")
    }
    guard let message = error?["message"]?.string else {
      return Failure(
        .protocolViolation, subject, "no service of dray answers there (status \(status))",
        advice: "use the address that `dray serve --status` shows")
    }
    let kind: Failure.Kind =
      switch status {
      case 400, 404: .usage
      case 502: .network
      case 503: .store
      default: .other
      }
    // The advice of the service is left out, because it is about calls of the API and not about commands.
    return Failure(kind, subject, TextSafety.escaped(message), httpStatus: status)
  }
}
