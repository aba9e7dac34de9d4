// Looks at a URL without fetching it.

internal import Curl
public import DrayCore
internal import Foundation

/// What a look at a URL found.
public struct ProbeResult: Sendable {
  /// The redirects followed.
  public var redirects: [RedirectStep]
  /// The URL that answered.
  public var finalURL: RequestURL
  /// Its answer.
  public var head: ResponseHead
  /// Whether a one-byte GET answered, as the server would not answer a HEAD.
  public var usedRange: Bool
  /// The address of the server.
  public var address: String
}

extension Engine {
  /// Asks for the head of the answer to `request`: with HEAD, or where a server refuses that, with a GET for one byte.
  /// Redirects are followed by the same rules as for a transfer.
  /// - Throws: ``Failure`` when no head came. A head with an error status is a result.
  public func probe(_ request: TransferRequest) async throws(Failure) -> ProbeResult {
    var head = request
    head.method = "HEAD"
    let result = try await probeOnce(head)
    guard [400, 403, 404, 405, 500, 501, 503].contains(result.head.status) else { return result }
    var byte = request
    byte.method = "GET"
    byte.headers.append(HeaderField("Range", "bytes=0-0"))
    var second = try await probeOnce(byte)
    second.usedRange = true
    return second
  }

  private func probeOnce(_ request: TransferRequest) async throws(Failure) -> ProbeResult {
    let result: Result<ProbeResult, Failure> = await withCheckedContinuation { continuation in
      run { Probe(request) { continuation.resume(returning: $0) } }
    }
    return try result.get()
  }
}

/// One look, on the loop's thread.
private final class Probe: LoopTransfer {
  private let request: TransferRequest
  private let deliver: (Result<ProbeResult, Failure>) -> Void
  private var url: RequestURL
  private var redirects: [RedirectStep] = []
  private var parser = HeadParser()
  private var head: ResponseHead?
  private var failure: Failure?
  private var target: RequestURL?
  private var deadline = Double.infinity

  init(_ request: TransferRequest, deliver: @escaping (Result<ProbeResult, Failure>) -> Void) {
    self.request = request
    self.deliver = deliver
    url = request.url
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    parser = HeadParser()
    (head, target) = (nil, nil)
    deadline = TransferLoop.now() + request.connectTimeout + request.stallTimeout
    try RequestOptions.apply(request, to: url, asking: .whole, on: handle)
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    switch parser.take(line) {
    case .none:
      return true
    case .violation(let what):
      failure = Failure(
        .protocolViolation, URLRedaction.redacted(url.string), "the server's answer breaks the rules: \(what)")
      return false
    case .final(let head):
      self.head = head
      guard RedirectPolicy.isRedirect(head.status) else { return true }
      switch RedirectPolicy.decide(
        from: url, status: head.status, location: head.all("location"), hop: redirects.count)
      {
      case .follow(let target):
        self.target = target
      case .refuse(let reason):
        failure = Failure(
          .protocolViolation, URLRedaction.redacted(url.string), reason, advice: "check the URL",
          httpStatus: head.status)
      }
      return true
    }
  }

  /// The body is of no interest: the head is all that is asked for.
  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict { .abort }

  func tick(now: Double) -> TickVerdict { now > deadline ? .abort : .none }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let subject = URLRedaction.redacted(url.string)
    if let failure {
      deliver(.failure(failure))
    } else if let target, let head {
      redirects.append(RedirectStep(status: head.status, from: url, to: target))
      url = target
      return .again
    } else if let head {
      deliver(
        .success(
          ProbeResult(
            redirects: redirects, finalURL: url, head: head, usedRange: false, address: info.address)))
    } else if TransferLoop.now() > deadline {
      deliver(
        .failure(
          Failure(.network, subject, "no answer came in time", advice: "--stall-timeout sets the patience")))
    } else {
      deliver(
        .failure(
          error?.failure(subject, info: info) ?? Failure(.network, subject, "the server closed without an answer")))
    }
    return .done
  }
}
