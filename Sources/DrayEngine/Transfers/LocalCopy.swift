// Files of this machine, on threads of their own: libcurl would read one whole within a single call, and every other
// transfer, every limit and every command to stop would wait for it.

internal import Curl
internal import Dispatch
internal import DrayCore
internal import Glibc
internal import Posix
internal import Synchronization
internal import Threads

/// The copies that run, so that an engine can end them.
final class LocalCopies: Sendable {
  private let stopping = Atomic<Bool>(false)
  private let group = DispatchGroup()

  /// Runs a copy on a thread of its own; it asks from time to time whether it is to stop.
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

  /// Ends all of them; returns when they have ended.
  func stop() {
    stopping.store(true, ordering: .relaxed)
    group.wait()
  }
}

/// Drives a ``FileTransfer`` from a local file as the loop drives one from libcurl.
enum LocalCopy {
  /// Bytes that are read at once.
  private static let blockSize = 256 << 10
  /// Seconds between two checks while bytes are held back.
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
        transfer.exchange.intake.source = file
        error = try copy(file, to: transfer, block, isStopping)
      } catch {
        transfer.fail(error)
      }
      if case .done = transfer.finish(error, info: TransferInfo()) { return }
    }
  }

  /// The status of a file.
  static func probe(_ url: RequestURL) async throws(Failure) -> ProbeResult {
    let file = try LocalFile(url)
    let head = SourceHead.probed(.file, file.facts, servesRest: true, now: Int64(WallClock.now()))
    return ProbeResult(
      response: ResponseRecord(finalURL: url, redirects: [], head: head, time: WallClock.now()), usedRange: false)
  }

  /// Hands the file over from the position that is asked for.
  /// - Returns: what ended it early, as libcurl reports it: a transfer that would have no more of it may want to ask again,
  ///   one that was stopped may not.
  private static func copy(
    _ file: LocalFile, to transfer: FileTransfer, _ block: UnsafeMutableRawBufferPointer, _ isStopping: () -> Bool
  ) throws(Failure) -> CurlError? {
    guard let size = file.facts.size else { return nil }
    var position = transfer.hop.ask.lower
    while position < size {
      let wanted = Int(min(Int64(block.count), size - position))
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]), at: position)
      // Before they are handed over: what was taken may be claimed, and what is claimed to the end is asked for no more (P2).
      if try file.hasChanged() { throw changed(file) }
      guard count > 0 else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
      if let error = deliver(bytes, to: transfer, isStopping) { return error }
      position += Int64(count)
    }
    return nil
  }

  /// Hands over bytes until they are taken; they may be held back by a limit or by a version that must be given up first.
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
      // Asked for before their time, they would only be held back again.
      guard now >= due else {
        usleep(useconds_t(min(look, due - now) * 1e6))
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
