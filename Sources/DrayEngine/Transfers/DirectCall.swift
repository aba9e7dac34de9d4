// One request to the API of a service or to an object store: the body and the answer are in memory, and an answer with
// any status is a result. Redirects are not followed, and the request is not repeated.

internal import Curl
public import DrayCore
internal import FoundationEssentials

/// A body in memory, whose bytes do not change while a request sends them.
protocol CallBuffer: Sendable {
  var bytes: UnsafeRawBufferPointer { get }
}

/// The failure of a request that got no answer.
struct LostAnswer: Error {
  var failure: Failure
  /// Whether the request was sent, in which case the server may have carried it out.
  var wasSent: Bool

  /// Whether no connection to the server was possible.
  var isUnreachable: Bool { !wasSent && failure.kind == .network }
}

/// What a call needs besides its request.
struct CallTerms: Sendable {
  var body = CallBody.bytes([])
  /// The maximum size of the answer's body, in bytes.
  var longest = Engine.documentLimit
  var seconds = Double.infinity
  /// What a request to an object store needs in addition; `nil` for any other request. With it, the request has no
  /// time limit as long as it makes progress.
  var store: Store?

  struct Store: Sendable {
    /// Whether the request completes an upload, so that the server may send white space for minutes.
    var joinsParts: Bool
    /// Returns whether the run was stopped.
    var isEnding: @Sendable () -> Bool
    /// Called before bytes of the body are sent; it must not block.
    var guarding: (@Sendable () throws(Failure) -> Void)?
  }
}

extension Engine {
  /// Sends one request, and returns the answer, whatever its status.
  /// - Parameters:
  ///   - body: The body; empty if there is none.
  ///   - longest: The maximum size of the answer's body, in bytes.
  ///   - seconds: The time limit of the whole call.
  /// - Throws: ``Failure`` if there is no complete answer.
  public func call(
    _ request: TransferRequest, body: [UInt8] = [], longest: Int = Engine.documentLimit, seconds: Double = 120
  ) async throws(Failure) -> DocumentAnswer {
    let terms = CallTerms(body: .bytes(body), longest: longest, seconds: seconds)
    do throws(LostAnswer) { return try await answer(to: request, terms).get() } catch { throw error.failure }
  }

  /// Sends one request to an object store, and does not repeat it.
  /// - Parameters:
  ///   - joinsParts: Whether the request completes an upload, so that the server may send white space for minutes.
  ///   - longest: The maximum size of the answer's body in bytes.
  ///   - isEnding: Returns whether the run was stopped.
  ///   - guarding: Called before bytes of the body are sent; it must not block.
  func perform(
    _ request: TransferRequest, _ body: CallBody, joinsParts: Bool = false, longest: Int,
    isEnding: @escaping @Sendable () -> Bool, guarding: (@Sendable () throws(Failure) -> Void)? = nil
  ) async -> Result<DocumentAnswer, LostAnswer> {
    let store = CallTerms.Store(joinsParts: joinsParts, isEnding: isEnding, guarding: guarding)
    return await answer(to: request, CallTerms(body: body, longest: longest, store: store))
  }

  private func answer(to request: TransferRequest, _ terms: CallTerms) async -> Result<DocumentAnswer, LostAnswer> {
    await withCheckedContinuation { continuation in
      run { DirectCall(request, terms) { continuation.resume(returning: $0) } }
    }
  }
}

private final class DirectCall: LoopTransfer {
  /// The milliseconds to wait for the permission to send a large body. Some servers never give it.
  private static let patience = 250

  private let request: TransferRequest
  private let terms: CallTerms
  private let deliver: (Result<DocumentAnswer, LostAnswer>) -> Void
  private var parser = HeadParser()
  private var head: ResponseHead?
  private var bytes: [UInt8] = []
  private var sent = 0
  private var wasSent = false
  private var failure: Failure?
  /// The number of bytes of the two bodies, by which a stall is detected.
  private var moved: Int64 = 0
  private var stall: StallDetector
  private weak var handle: EasyHandle?
  private var arrivals = ArrivalCounter()
  private var end = Double.infinity
  private var sentAt = 0.0
  private var movedAt = TransferLoop.now()
  /// The time at which the run was first seen to be stopped.
  private var endsSince: Double?
  private let isLate: Bool

  init(
    _ request: TransferRequest, _ terms: CallTerms, deliver: @escaping (Result<DocumentAnswer, LostAnswer>) -> Void
  ) {
    (self.request, self.terms, self.deliver) = (request, terms, deliver)
    (isLate, stall) = (terms.store?.isEnding() ?? false, StallDetector(window: request.stallTimeout))
  }

  private var subject: String { request.url.description }

  /// Whether a proxy makes the connection, so that nothing is known about the connection to the server.
  private var usesProxy: Bool {
    ProxyName.shown(
      request.proxy, scheme: request.url.scheme, environment: ProcessInfo.processInfo.environment) != nil
  }

  private var server: String { "\(request.url.origin.host):\(request.url.origin.port)" }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    movedAt = TransferLoop.now()
    end = movedAt + terms.seconds
    self.handle = handle
    try RequestOptions.apply(request, to: request.url, asking: .whole, on: handle)
    if terms.body.count > 0 || request.method == "PUT" || request.method == "POST" {
      try handle.set(.upload, true)
      try handle.set(.uploadLength, Int64(terms.body.count))
      try handle.set(.method, request.method)
    }
    guard terms.store != nil else { return }
    // If the server closes a reused connection without an answer, libcurl would repeat the request by itself.
    if request.method == "DELETE" { try handle.set(.freshConnection, true) }
    guard request.method == "PUT" || request.method == "POST" else { return }
    // libcurl sends `Expect` with each body of a PUT. The field cannot be left out, because libcurl would sign it
    // nevertheless. For a small body, the permission is not waited for, because that would take as long as the answer.
    let isSmall = Int64(terms.body.count) < RequestFields.announced
    try handle.set(.expectTimeoutMilliseconds, isSmall ? 0 : DirectCall.patience)
  }

  func willSend() {
    wasSent = true
    movedAt = TransferLoop.now()
    sentAt = movedAt
    stall.reset()
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    note(line.count)
    switch parser.take(line) {
    case .none: break
    case .final(let new): head = new
    case .superseded: (head, bytes) = (nil, [])
    case .violation(let what):
      failure = Failure(.protocolViolation, subject, what, recovery: terms.store == nil ? .final : .retry)
      return false
    }
    return true
  }

  private func note(_ count: Int) {
    movedAt = TransferLoop.now()
    moved += Int64(count)
  }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    note(body.count)
    guard bytes.count + body.count <= terms.longest else {
      failure = Failure(
        .protocolViolation, subject, "its answer is longer than \(ByteCount.text(Int64(terms.longest)))",
        recovery: terms.store == nil ? .final : .keep)
      return .abort
    }
    bytes.append(contentsOf: body)
    return .taken
  }

  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict {
    let count = min(space.count, terms.body.count - sent)
    note(max(0, count))
    guard count > 0 else { return .sent(0) }
    // The process may have been stopped in the middle of the body, and its lease may be over. If so, the body is not
    // completed, and the server drops it.
    do throws(Failure) { try terms.store?.guarding?() } catch {
      failure = error
      return .abort
    }
    terms.body.withBytes { space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<(sent + count)])) }
    sent += count
    return .sent(count)
  }

  func rewind(to position: Int64) -> Bool {
    sent = Int(position)
    return true
  }

  func tick(now: Double) -> TickVerdict {
    guard let store = terms.store else {
      guard now >= end else { return .none }
      failure = failure ?? .unanswered(subject, within: terms.seconds)
      return .abort
    }
    let arrived = arrivals.arrived(leaving: handle?.unacknowledged)
    if arrived > 0 { note(arrived) }
    if hasWaited(now, store) {
      failure = failure ?? Failure(.network, subject, "no answer before the stop", recovery: .retry)
      return .abort
    }
    let patience = max(request.stallTimeout, request.connectTimeout)
    if now - movedAt >= patience {
      failure = failure ?? .unanswered(subject, within: patience, recovery: .retry)
      return .abort
    }
    // A server must not keep the request going for ever by sending a byte now and then (P13).
    guard wasSent, stall.isStalled(bytes: moved, now: now),
      !(store.joinsParts && now - sentAt < DirectCall.longestJoining)
    else { return .none }
    handle?.giveUpConnection(stalledFor: stall.window)
    failure = failure ?? stall.failure(subject)
    return .abort
  }

  /// The seconds for which a server may join parts while it sends white space so that the connection stays open.
  private static let longestJoining = 3600.0

  private func hasWaited(_ now: Double, _ store: CallTerms.Store) -> Bool {
    guard store.isEnding() else { return false }
    let since = endsSince ?? now
    endsSince = since
    let patience = StopPatience.of(method: request.method, wasSent: wasSent, isLate: isLate)
    return now - movedAt >= patience.silence || now - since >= patience.most
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    func lost(_ failure: Failure) {
      let failure = terms.store == nil ? failure : failure.ofObjectStore(server)
      deliver(.failure(LostAnswer(failure: failure, wasSent: wasSent)))
    }
    if let failure {
      lost(failure)
    } else if let head, error == nil || terms.store != nil && head.status >= 300 {
      // The answer is delivered even after an error: an object store may refuse a body, and close the connection before
      // all of the body is sent.
      deliver(.success(DocumentAnswer(finalURL: request.url, head: head, bytes: bytes)))
    } else if let error {
      var failure = error.failure(subject, info: info)
      if terms.store != nil, !usesProxy { failure.obstacle = error.obstacle(info) }
      if request.signature?.caBundle != nil, [.untrusted, .authoritiesMissing].contains(error.code) {
        // dray has no option for this file, so the message names the variables that set it.
        failure.advice = "check AWS_CA_BUNDLE, or ca_bundle of the profile"
      }
      lost(failure)
    } else {
      lost(
        Failure(
          .network, subject, "the server closed the connection without an answer",
          recovery: terms.store == nil ? .final : .retry))
    }
    return .done
  }
}
