// Compares samples of a file that is here with a server's, before any of it counts.

internal import Curl
public import DrayCore

/// A comparison of samples.
public struct SampleTask: Sendable {
  /// What the file is asked for with.
  public var request: TransferRequest
  /// The cookies to begin with, lines in Netscape's format; `nil` is to send none.
  public var cookies: [String]?
  /// The limits on its rate.
  public var limiters: [RateLimiter] = []
  /// Which digests of the server count.
  public var verify = VerifyMode.offered
  /// Whether a digest will prove the result.
  public var digestIsKnown = false
  /// The file that is compared.
  public var file: any StoredBytes
  /// The bytes that are compared: ascending, disjoint, and few enough to be held in memory each.
  public var places: [Segment]
  /// What is known of the server's version; without it, the first answer decides.
  public var known: SampleReport?
  /// Which URLs may answer once a version is known.
  var answering = Answering.sameOrigin
  /// Whether `known` has the condition of `If-Range` refused already.
  var refusesIfRange = false
  /// Whether the first difference ends the comparison.
  var endsAtDifference = false
  /// Whether it is still wanted.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// Which URLs may answer. If a digest will prove the result, all may.
  enum Answering {
    /// Another origin needs a strong `ETag`: that its date is the same proves nothing (P16).
    case sameOrigin
    /// A validator means something for its own URL only (P16).
    case only(RequestURL)
    case any
  }

  /// A comparison of `places` of `file`.
  public init(_ request: TransferRequest, _ file: any StoredBytes, _ places: [Segment]) {
    (self.request, self.file, self.places) = (request, file, places)
  }
}

/// What a server said of its file, and which samples differ.
public struct SampleReport: Sendable {
  /// The first answer.
  public var response: ResponseRecord
  /// The length of the file.
  public var size: Int64
  /// What identifies its version.
  public var validators: Validators
  /// The server's digests of it.
  public var offered: [SourcedDigest]
  /// The places at which the file that is here has other bytes.
  public var differing: [Segment] = []
}

/// How a comparison ended.
public enum SampleEnd: Sendable {
  case compared(SampleReport)
  /// The server serves no parts of the file.
  case notServed
  /// The server has another version by now, or it is another server that answers.
  case changed(StartOver)
  case failed(Failure)
  case cancelled
}

extension Engine {
  /// Compares samples. Redirects are followed by the same rules as for a transfer.
  public func compare(_ task: SampleTask) async -> SampleEnd {
    guard !task.places.isEmpty || task.known == nil else { return .cancelled }
    return await withCheckedContinuation { continuation in
      var task = task
      task.request.url = transport.upgraded(task.request.url)
      run { [task, transport, hosts] in
        SampleTransfer(task, transport, hosts) { continuation.resume(returning: $0) }
      }
    }
  }
}

/// One comparison, on the loop's thread.
private final class SampleTransfer: LoopTransfer {
  private let isCancelled: @Sendable () -> Bool
  private let deliver: (SampleEnd) -> Void
  private var comparison: SampleComparison

  init(
    _ task: SampleTask, _ transport: TransportMemory, _ hosts: HostRules, deliver: @escaping (SampleEnd) -> Void
  ) {
    (isCancelled, self.deliver) = (task.isCancelled, deliver)
    comparison = SampleComparison(
      task, from: task.request.address,
      ExchangeTerms(transport: transport, hosts: hosts, cookies: task.cookies, limiters: task.limiters))
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) { try comparison.prepare(handle) }

  func receive(header line: UnsafeRawBufferPointer) -> Bool { comparison.receive(header: line) }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    comparison.verdict(on: body) ?? comparison.exchange.pace.admit(body, now: TransferLoop.now) { comparison.take($0) }
  }

  func tick(now: Double) -> TickVerdict {
    guard !isCancelled() else {
      comparison.exchange.intake.cut(.end(.cancelled))
      return .abort
    }
    return comparison.exchange.intake.patience(now: now) ?? comparison.exchange.tick(now: now)
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    switch comparison.finish(error, info, isCancelled: isCancelled()) {
    case .next(let step): return step
    case .ended(let end):
      deliver(end)
      return .done
    }
  }
}
