// One call of a service over HTTP: a small body is sent, and the answer may have any status. No redirect is followed.

internal import Curl
public import DrayCore

extension Engine {
  /// Makes one request, and returns the answer with any status. The request is not repeated.
  /// - Parameters:
  ///   - body: The body; empty for none.
  ///   - longest: The maximum size of the answer's body in bytes.
  ///   - seconds: The time limit of the whole call.
  /// - Throws: ``Failure`` if there is no complete answer.
  public func call(
    _ request: TransferRequest, body: [UInt8] = [], longest: Int = Engine.documentLimit, seconds: Double = 120
  ) async throws(Failure) -> DocumentAnswer {
    let result: Result<DocumentAnswer, Failure> = await withCheckedContinuation { continuation in
      run {
        ServiceCall(request, body, longest: longest, seconds: seconds) { continuation.resume(returning: $0) }
      }
    }
    return try result.get()
  }
}

/// One call, on the loop's thread.
private final class ServiceCall: LoopTransfer {
  private let request: TransferRequest
  private let body: [UInt8]
  private let longest: Int
  private let seconds: Double
  private let deliver: (Result<DocumentAnswer, Failure>) -> Void
  private var parser = HeadParser()
  private var head: ResponseHead?
  private var bytes: [UInt8] = []
  private var sent = 0
  private var end = Double.infinity
  private var failure: Failure?

  init(
    _ request: TransferRequest, _ body: [UInt8], longest: Int, seconds: Double,
    deliver: @escaping (Result<DocumentAnswer, Failure>) -> Void
  ) {
    (self.request, self.body, self.longest) = (request, body, longest)
    (self.seconds, self.deliver) = (seconds, deliver)
  }

  private var subject: String { request.url.description }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    end = TransferLoop.now() + seconds
    try RequestOptions.apply(request, to: request.url, asking: .whole, on: handle)
    guard !body.isEmpty else { return }
    try handle.set(.upload, true)
    try handle.set(.uploadLength, Int64(body.count))
    try handle.set(.method, request.method)
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    switch parser.take(line) {
    case .none: return true
    case .final(let new): head = new
    case .superseded: (head, bytes) = (nil, [])
    case .violation(let what):
      failure = Failure(.protocolViolation, subject, what)
      return false
    }
    return true
  }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    guard bytes.count + body.count <= longest else {
      failure = Failure(
        .protocolViolation, subject, "its answer is longer than \(ByteCount.text(Int64(longest)))")
      return .abort
    }
    bytes.append(contentsOf: body)
    return .taken
  }

  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict {
    let count = min(space.count, body.count - sent)
    guard count > 0 else { return .sent(0) }
    let range = sent..<(sent + count)
    body.withUnsafeBytes { space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
    sent += count
    return .sent(count)
  }

  func rewind(to position: Int64) -> Bool {
    sent = Int(position)
    return true
  }

  func tick(now: Double) -> TickVerdict {
    guard now >= end else { return .none }
    failure = failure ?? Failure(.network, subject, "no answer within \(Int(seconds)) s")
    return .abort
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    if let failure {
      deliver(.failure(failure))
    } else if let error {
      deliver(.failure(error.failure(subject, info: info)))
    } else if let head {
      deliver(.success(DocumentAnswer(finalURL: request.url, head: head, bytes: bytes)))
    } else {
      deliver(.failure(Failure(.network, subject, "the server closed the connection without an answer")))
    }
    return .done
  }
}
