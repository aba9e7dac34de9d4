// Probes URLs without fetching them.

public import DrayCore
internal import DrayEngine
internal import Threads

/// The facts found about a URL.
public struct ProbeReport: Sendable {
  /// The answer, with its redirects and its connection.
  public var response: ResponseRecord
  /// The answer's facts about the file.
  public var facts: ResponseFacts
  /// Whether the request was a GET for one byte, because the server did not answer a HEAD.
  public var usedRange: Bool
}

extension DownloadManager {
  /// Probes a URL: it follows redirects by the rules of a transfer, and requests only the head of the answer. It needs
  /// no job store.
  /// - Parameters:
  ///   - request: The request to probe.
  ///   - manager: The manager whose HSTS list is applied and extended.
  ///   - hosts: Additional settings for requests to some hosts.
  /// - Throws: A failure if no head of an answer arrived. An answer with an error status is a result and not a failure.
  public static func probe(
    _ request: TransferRequest, knowing manager: DownloadManager? = nil, hosts: HostRules = HostRules()
  ) async throws(Failure) -> ProbeReport {
    try CredentialRule.check(request)
    let executor = manager?.executor ?? BlockingExecutor("dray.probe")
    let (asked, cookies, engine) = try await executor.run { () async throws(Failure) in
      (
        try request.credentialed(),
        try await CookieKeeper(home: manager?.home, store: nil).given(for: request),
        try Engine(transport: await transport(of: manager?.store), hosts: hosts)
      )
    }
    defer { engine.stop() }
    let result: ProbeResult
    do throws(Failure) { result = try await engine.probe(asked, cookies: cookies) } catch { throw error.ofNoJob }
    return ProbeReport(
      response: result.response, facts: ResponseFacts(result.response), usedRange: result.usedRange)
  }
}
