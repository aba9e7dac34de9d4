// Copies files of this machine on separate threads. libcurl would read a whole file within one call, and so block all
// other transfers, limits and stop commands.

internal import Curl
internal import Dispatch
internal import DrayCore
internal import Posix
internal import Synchronization
internal import Threads

final class LocalCopies: Sendable {
  private let stopping = Atomic<Bool>(false)
  private let group = DispatchGroup()

  /// Runs a copy on a separate thread. The copy calls `isStopping` from time to time.
  func start(_ copy: @escaping @Sendable (_ isStopping: () -> Bool) -> Void) {
    group.enter()
    do {
      try System.startThread("dray.copy", stackSize: 1 << 20) { [self] in
        copy { stopping.load(ordering: .relaxed) }
        group.leave()
      }
    } catch {
      copy { true }
      group.leave()
    }
  }

  /// Returns when all copies have ended.
  func stop() {
    stopping.store(true, ordering: .relaxed)
    group.wait()
  }
}

/// Drives a ``FileTransfer`` with a local file, as the loop drives a transfer over libcurl.
enum LocalCopy {
  private static let blockSize = 256 << 10
  /// The seconds between two checks while bytes are held back.
  private static let look = 0.02

  static func run(
    plan: TransferPlan, outside: Transfer, observer: any TransferObserver, isStopping: () -> Bool
  ) {
    let transfer = FileTransfer(
      TransferContext(
        plan: plan, outside: outside, observer: observer, shared: SharedMemory(), transport: TransportMemory()))
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 4096)
    defer { block.deallocate() }
    while true {
      transfer.beginRequest()
      var error: CurlError?
      do throws(Failure) {
        let file = try LocalFile(transfer.url)
        transfer.exchange.receiver.source = file
        error = try copy(file, to: transfer, block, isStopping)
      } catch {
        transfer.fail(error)
      }
      if case .done = transfer.finish(error, info: TransferInfo()) { return }
    }
  }

  static func probe(_ url: RequestURL) async throws(Failure) -> ProbeResult {
    let file = try LocalFile(url)
    let head = SourceHead.probed(.file, file.facts, servesRest: true, now: Int64(WallClock.now()))
    return ProbeResult(
      response: ResponseRecord(finalURL: url, redirects: [], head: head, time: WallClock.now()), usedRange: false)
  }

  /// Copies the file from the requested position.
  /// - Returns: The error of an early end, as libcurl would report it. A transfer that refused more bytes may send
  ///   another request; a stopped transfer may not.
  private static func copy(
    _ file: LocalFile, to transfer: FileTransfer, _ block: UnsafeMutableRawBufferPointer, _ isStopping: () -> Bool
  ) throws(Failure) -> CurlError? {
    guard let size = file.facts.size else { return nil }
    var position = transfer.current.ask.lower
    while position < size {
      let wanted = Int(min(Int64(block.count), size - position))
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]), at: position)
      // Check for changes before passing bytes on, because bytes that are recorded as complete are not requested again
      // (P2).
      if try file.hasChanged() { throw changed(file) }
      guard count > 0 else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
      if let error = deliver(bytes, to: transfer, isStopping) { return error }
      position += Int64(count)
    }
    return nil
  }

  /// Offers bytes again and again until the transfer takes them. The transfer may have to wait for a rate limit, or
  /// until an old version is given up.
  private static func deliver(
    _ bytes: UnsafeRawBufferPointer, to transfer: FileTransfer, _ isStopping: () -> Bool
  ) -> CurlError? {
    var due = 0.0
    while true {
      let now = TransferLoop.now()
      if isStopping() { return .aborted }
      switch transfer.tick(now: now) {
      case .none: break
      case .proceed: due = now
      case .abort: return .aborted
      }
      // Before the time `due`, the bytes would only be held back again.
      guard now >= due else {
        System.pause(min(look, due - now))
        continue
      }
      switch transfer.receive(body: bytes) {
      case .taken: return nil
      case .abort: return CurlError(.writeError)
      case .pause(let time): due = time
      }
    }
  }

  private static func changed(_ file: LocalFile) -> Failure {
    Failure(
      .integrity, file.path, "the file was changed while it was copied",
      advice: "wait until it is finished, then \(.retry)", recovery: .retry)
  }
}
