package import DrayCore
internal import DrayEngine

/// A client of a running service's API (`/api/v1`), on this or another machine.
package final class ServiceClient: Sendable {
  /// An answer of the service.
  package struct Answer: Sendable {
    /// The status code.
    package var status: Int
    /// The body, which is JSON.
    package var bytes: [UInt8]
  }

  /// The URL of the service, without a slash at its end.
  private let base: String
  private let secret: String?
  private let engine: Engine

  /// Creates a client.
  /// - Parameters:
  ///   - base: The URL of the service, without a slash at its end.
  ///   - secret: The secret of the service; `nil` if the service has none.
  /// - Throws: `Failure` if libcurl cannot be set up.
  package init(_ base: String, secret: String?) throws(Failure) {
    (self.base, self.secret) = (base, secret)
    engine = try Engine()
  }

  deinit { engine.stop() }

  /// Makes one call, without repeating it.
  /// - Parameters:
  ///   - path: The path below `/api/v1`, with its query.
  ///   - body: The JSON to send; `nil` for none.
  ///   - key: A text by which the service recognizes that a call is repeated.
  /// - Throws: `Failure` if the service does not answer.
  package func call(
    _ method: String, _ path: String, body: [UInt8]? = nil, key: String? = nil
  ) async throws(Failure) -> Answer {
    let text = "\(base)/api/v1\(path)"
    guard let url = try? RequestURL.parse(text).url else {
      throw Failure(.usage, TextSafety.escaped(base), "this is no URL of a service")
    }
    var request = TransferRequest(url: url)
    request.method = method
    // Allow this user's own service, because the user named it.
    request.reachesOwnService = true
    request.headers = [HeaderField("Accept", "application/json"), HeaderField("Expect", "")]
    if let secret { request.headers.append(HeaderField("Authorization", "Bearer \(secret)")) }
    if body != nil { request.headers.append(HeaderField("Content-Type", "application/json")) }
    if let key { request.headers.append(HeaderField("Idempotency-Key", key)) }
    let answer = try await engine.call(request, body: body ?? [])
    return Answer(status: answer.head.status, bytes: answer.bytes)
  }
}
