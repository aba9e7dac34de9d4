// Compares samples of a file on disk with a server's file, before bytes from that server count.

internal import Curl
internal import DrayCore

extension Engine {
  /// Compares samples, following redirects by the rules of a transfer.
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

  func startTime(now: Double) -> Double { comparison.exchange.startTime(now: now) }

  func prepare(_ handle: EasyHandle) throws(CurlError) { try comparison.prepare(handle) }

  func receive(header line: UnsafeRawBufferPointer) -> Bool { comparison.receive(header: line) }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    comparison.verdict(on: body) ?? comparison.exchange.pace.admit(body, now: TransferLoop.now) { comparison.take($0) }
  }

  func tick(now: Double) -> TickVerdict {
    guard !isCancelled() else {
      comparison.exchange.receiver.cut(.end(.cancelled))
      return .abort
    }
    return comparison.exchange.receiver.patience(now: now) ?? comparison.exchange.tick(now: now)
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
