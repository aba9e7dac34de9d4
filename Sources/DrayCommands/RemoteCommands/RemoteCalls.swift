// Calls a service for `dray --host http://…`, and gives its errors as failures.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer

/// The calls of one command. Its secret goes to this service only (P7).
actor RemoteCalls {
  /// The URL of the service, without a slash at its end.
  nonisolated let base: String
  private var client: ServiceClient
  /// Asks for a missing secret; `nil` once there is one.
  private var ask: (@Sendable (String) -> String?)?

  /// - Parameters:
  ///   - secret: The secret, if it is known.
  ///   - ask: Asks the user for it.
  init(_ base: String, secret: String?, ask: @escaping @Sendable (String) -> String?) throws(Failure) {
    self.base = base
    client = try ServiceClient(base, secret: secret)
    self.ask = secret == nil ? ask : nil
  }

  /// Makes a call.
  /// - Parameter key: The key by which the service recognizes a repeated call.
  /// - Throws: The service's error, or the reason why it does not answer.
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

  /// Returns the failure of a service that did not answer.
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
    // The service's advice names its calls.
    return Failure(kind, subject, TextSafety.escaped(message), httpStatus: status)
  }
}
