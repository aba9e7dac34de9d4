// What a URL leads to, without fetching it.

public import DrayCore
internal import DrayEngine
internal import Threads

/// The result of a probe of a URL.
public struct ProbeReport: Sendable {
  /// The answer, with the redirects on the way to it and the connection it came over.
  public var response: ResponseRecord
  /// What it says of the file.
  public var facts: ResponseFacts
  /// Whether a one-byte GET answered, as the server would not answer a HEAD.
  public var usedRange: Bool
}

extension DownloadManager {
  /// Probes a URL: follows redirects by the rules of a transfer, asks for the head only. Needs no job store.
  /// - Throws: when no head came. An error status is a report, not a failure.
  /// - Parameters:
  ///   - request: what is probed.
  ///   - manager: whose list of hosts that want https is applied and added to.
  ///   - hosts: what requests to some hosts carry.
  public static func probe(
    _ request: TransferRequest, knowing manager: DownloadManager? = nil, hosts: HostRules = HostRules()
  ) async throws(Failure) -> ProbeReport {
    try CredentialRule.check(request)
    let desk = manager?.desk ?? BlockingQueue("dray.probe")
    let (asked, cookies, engine) = try await desk.run { () async throws(Failure) in
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
