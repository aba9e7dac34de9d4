// One request to an object store, on the loop's thread: the body comes from memory, and the answer goes there.

internal import Curl
internal import DrayCore
internal import FoundationEssentials

/// The body of a request.
enum ObjectBody: Sendable {
  case bytes([UInt8])
  case buffer(PartBuffer)

  /// The length in bytes.
  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .buffer(let buffer): buffer.count
    }
  }

  /// Passes on the bytes.
  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    switch self {
    case .bytes(let bytes): bytes.withUnsafeBytes { body($0) }
    case .buffer(let buffer): body(buffer.bytes)
    }
  }
}

/// A complete answer, of any status.
struct ObjectAnswer: Sendable {
  var head: ResponseHead
  var bytes: [UInt8]
}

/// The end of a request without an answer.
struct LostAnswer: Error {
  var failure: Failure
  /// Whether the request may have reached the server, and so may have been carried out.
  var wasSent: Bool

  /// Whether no connection to the server could be made.
  var isUnreachable: Bool { !wasSent && failure.kind == .network }
}

extension Engine {
  /// Makes one request, and returns its answer. It is not repeated.
  /// - Parameters:
  ///   - joinsParts: Whether it completes an upload. The server may send white space for minutes then.
  ///   - longest: The maximum size of the answer's body in bytes.
  ///   - isEnding: Whether the work that needs the request has been stopped.
  ///   - guarding: The check before bytes of the body are sent. It must not block.
  func perform(
    _ request: TransferRequest, _ body: ObjectBody, joinsParts: Bool = false, longest: Int,
    isEnding: @escaping @Sendable () -> Bool, guarding: (@Sendable () throws(Failure) -> Void)? = nil
  ) async -> Result<ObjectAnswer, LostAnswer> {
    await withCheckedContinuation { continuation in
      run {
        ObjectCall(request, body, joinsParts: joinsParts, longest: longest, isEnding: isEnding, guarding) {
          continuation.resume(returning: $0)
        }
      }
    }
  }
}

/// A request on the loop's thread.
private final class ObjectCall: LoopTransfer {
  /// The milliseconds to wait for the permission to send a large body. Some servers never give it.
  private static let patience = 250

  private let request: TransferRequest
  private let body: ObjectBody
  private let joinsParts: Bool
  private let longest: Int
  private let guarding: (@Sendable () throws(Failure) -> Void)?
  private let isEnding: @Sendable () -> Bool
  private let deliver: (Result<ObjectAnswer, LostAnswer>) -> Void
  private var parser = HeadParser()
  private var head: ResponseHead?
  private var bytes: [UInt8] = []
  private var sent = 0
  private var wasSent = false
  private var failure: Failure?
  /// The bytes of the request's body and of the answer, for the stall detector.
  private var moved: Int64 = 0
  private var stall: StallDetector
  private weak var handle: EasyHandle?
  private var arrivals = ArrivalCounter()
  /// The time at which the request was sent.
  private var sentAt = 0.0
  /// The time at which the request last made progress.
  private var movedAt = TransferLoop.now()
  /// When it was first seen that the run is stopped.
  private var endsSince: Double?
  /// Whether the run was stopped before the request began.
  private let isLate: Bool

  init(
    _ request: TransferRequest, _ body: ObjectBody, joinsParts: Bool, longest: Int,
    isEnding: @escaping @Sendable () -> Bool, _ guarding: (@Sendable () throws(Failure) -> Void)?,
    deliver: @escaping (Result<ObjectAnswer, LostAnswer>) -> Void
  ) {
    (self.request, self.body, self.joinsParts, self.longest) = (request, body, joinsParts, longest)
    (self.isEnding, self.guarding, self.deliver) = (isEnding, guarding, deliver)
    (isLate, stall) = (isEnding(), StallDetector(window: request.stallTimeout))
  }

  private var subject: String { request.url.description }

  /// Whether another machine makes the connection, so that nothing is known of the server.
  private var usesProxy: Bool {
    ProxyName.shown(
      request.proxy, scheme: request.url.scheme, environment: ProcessInfo.processInfo.environment) != nil
  }

  /// The host and the port of the object store.
  private var server: String { "\(request.url.origin.host):\(request.url.origin.port)" }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    movedAt = TransferLoop.now()
    self.handle = handle
    try RequestOptions.apply(request, to: request.url, asking: .whole, on: handle)
    // On a connection that the server closes without an answer, libcurl would repeat the request by itself.
    if request.method == "DELETE" { try handle.set(.freshConnection, true) }
    guard request.method == "PUT" || request.method == "POST" else { return }
    try handle.set(.uploadLength, Int64(body.count))
    // libcurl announces each body of a PUT. It signs a field that is to be omitted, so `Expect` stays, but a small body
    // follows at once: the permission would take as long as the answer.
    let isSmall = Int64(body.count) < RequestFields.announced
    try handle.set(.expectTimeoutMilliseconds, isSmall ? 0 : ObjectCall.patience)
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
      failure = Failure(.protocolViolation, subject, what, recovery: .retry)
      return false
    }
    return true
  }

  /// Records progress.
  private func note(_ count: Int) {
    movedAt = TransferLoop.now()
    moved += Int64(count)
  }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    note(body.count)
    guard bytes.count + body.count <= longest else {
      failure = Failure(
        .protocolViolation, subject, "its answer is longer than \(ByteCount.text(Int64(longest)))", recovery: .keep)
      return .abort
    }
    bytes.append(contentsOf: body)
    return .taken
  }

  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict {
    let count = min(space.count, body.count - sent)
    note(max(0, count))
    guard count > 0 else { return .sent(0) }
    // The process may have been stopped in the middle of the body. A server drops an incomplete one.
    do throws(Failure) { try guarding?() } catch {
      failure = error
      return .abort
    }
    body.withBytes { space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<(sent + count)])) }
    sent += count
    return .sent(count)
  }

  func rewind(to position: Int64) -> Bool {
    sent = Int(position)
    return true
  }

  func tick(now: Double) -> TickVerdict {
    let arrived = arrivals.arrived(leaving: handle?.unacknowledged)
    if arrived > 0 { note(arrived) }
    if hasWaited(now) {
      failure = failure ?? Failure(.network, subject, "no answer before the stop", recovery: .retry)
      return .abort
    }
    if now - movedAt >= max(request.stallTimeout, request.connectTimeout) {
      failure =
        failure
        ?? Failure(
          .network, subject, "no answer within \(Int(max(request.stallTimeout, request.connectTimeout))) s",
          recovery: .retry)
      return .abort
    }
    // A server must not hold the request with a byte now and then (P13).
    guard wasSent, stall.isStalled(bytes: moved, now: now), !isJoining(now) else { return .none }
    handle?.giveUpConnection(stalledFor: stall.window)
    failure = failure ?? stall.failure(subject)
    return .abort
  }

  /// Whether the server may be joining parts. It sends white space then, so that the connection stays open.
  private func isJoining(_ now: Double) -> Bool { joinsParts && now - sentAt < ObjectCall.longestJoining }

  /// The maximum seconds in which a server joins parts while it sends white space.
  private static let longestJoining = 3600.0

  /// Whether a stopped run has waited long enough for the answer.
  private func hasWaited(_ now: Double) -> Bool {
    guard isEnding() else { return false }
    let since = endsSince ?? now
    endsSince = since
    let patience = StopPatience.of(method: request.method, wasSent: wasSent, isLate: isLate)
    return now - movedAt >= patience.silence || now - since >= patience.most
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    func lost(_ failure: Failure) {
      deliver(.failure(LostAnswer(failure: failure.ofObjectStore(server), wasSent: wasSent)))
    }
    if let failure {
      lost(failure)
    } else if let head, error == nil || head.status >= 300 {
      // A server may refuse a body, and close the connection before it is sent.
      deliver(.success(ObjectAnswer(head: head, bytes: bytes)))
    } else if let error {
      var failure = error.failure(subject, info: info)
      if !usesProxy { failure.obstacle = error.obstacle(info) }
      if request.signature?.caBundle != nil, [.untrusted, .authoritiesMissing].contains(error.code) {
        // Options do not replace this file.
        failure.advice = "check AWS_CA_BUNDLE, or ca_bundle of the profile"
      }
      lost(failure)
    } else {
      lost(Failure(.network, subject, "the server closed the connection without an answer", recovery: .retry))
    }
    return .done
  }
}
