internal import Curl
internal import DrayCore

/// Writes the bytes of a body to the storage of a part. The writer gathers bytes, writes them at their position, and
/// does not write beyond their limit. Confined to the loop's thread. While bytes arrive, memory is allocated only for
/// bytes that wait to be hashed.
final class BodyWriter {
  enum Result {
    case taken
    /// All expected bytes have arrived, and additional bytes beyond the end.
    case excess
    /// Some of these bytes are beyond the range that the answer announced.
    case overrun
    /// Repeated bytes differ from those on disk.
    case differs
    case failed(Failure)
  }

  /// The number of written bytes after which a write-back is started, so that the final sync has little to do.
  static let writeBackStep: Int64 = 8 << 20
  /// The number of bytes to reserve in advance: enough to keep a file contiguous, but not so many that a wrong length
  /// costs much.
  static let reserveStep: Int64 = 1 << 30
  /// The length from which files do not stay in memory. Such files would evict more useful pages, and fresh memory for
  /// them costs more than the rest of the transfer (Benchmarks/).
  static let uncachedLeast: Int64 = 128 << 20
  /// Whether a file of this length uses large buffers and is kept out of memory.
  static func isLarge(_ size: Int64?) -> Bool { size ?? 0 >= uncachedLeast }
  /// The rate of a fast connection, in bytes per second: 512 KiB arrive in 2 ms.
  static let fastRate = Double(256 << 20)
  /// The seconds after which bytes are written even if the buffer is not full, so that a checkpoint includes them (P4).
  static let patience = 0.5
  /// The maximum length of files for which no space is reserved.
  static let reserveLeast: Int64 = 1 << 20

  let part: any PartStorage
  /// Decides whether bytes must wait; `nil` if they never do.
  private let receiver: (any PartBackpressure)?
  /// The position at which the answer begins.
  private let origin: Int64
  /// The position of the first byte to write, after the compared bytes.
  let start: Int64
  /// The position of the next byte, after the gathered bytes.
  private(set) var position: Int64
  /// The end of the body, if known. Bytes beyond it are not written.
  private(set) var until: Int64?
  private let span: Int64?
  private let total: Int64?
  private var comparing: Int64
  private var buffer: GatherBuffer
  /// The buffer that is returned to the pool at the end, with its original size.
  private var pooled: GatherBuffer
  private var isUncached: Bool
  private var follower: DigestFollower?
  /// The time at which gathered bytes were first seen waiting.
  private var waitingSince: Double?
  /// The time at which bytes were last written uncached.
  private var flushedAt: Double?
  private var writtenBack: Int64
  private var reserved: Int64
  /// The written bytes that were not reported yet, with their checksums, split at block boundaries.
  private var unreported: [BlockSums.Extent] = []
  private var surplusCount = 0

  init(
    part: any PartStorage, at position: Int64, until: Int64?, span: Int64? = nil, total: Int64?, comparing: Int64,
    buffer: GatherBuffer
  ) {
    self.part = part
    receiver = part.receiver
    self.span = span
    origin = position
    start = position + comparing
    self.position = position
    self.until = until
    self.total = total
    self.comparing = comparing
    self.buffer = buffer
    pooled = buffer
    isUncached = buffer.isLarge
    if isUncached { buffer.limit(to: GatherBufferPool.bufferSize) }
    writtenBack = position
    reserved = position
  }

  var flushed: Int64 { position - Int64(buffer.count) }

  /// The bytes that this answer contributed to the file.
  var brought: Segment { start..<max(start, flushed) }

  /// Whether all expected bytes have arrived, if the head announced an end.
  var isDone: Bool { until == position }

  /// Whether all announced bytes of a part have arrived, even if other connections now fetch some of them.
  var hasSpan: Bool { span == position }

  /// The number of bytes that the connection received, including compared bytes.
  var given: Int64 { position - origin }

  /// Whether the connection continued kept bytes, and received enough new bytes.
  var isProgress: Bool { !isComparing && Joint.isProgress(position - start, compared: start - origin) }

  /// Whether the kept bytes agreed and the connection received enough new bytes after them to justify its request.
  var isFlowing: Bool { start > origin && isProgress }

  var isComparing: Bool { comparing > 0 }

  /// Whether the part has space for the next `count` bytes. If not, the connection waits.
  func hasRoom(for count: Int) -> Bool {
    guard let receiver else { return true }
    let new = Int64(count) - comparing
    guard new > 0 else { return true }
    let end = min(position + comparing + new, until ?? .max)
    let start = flushed + comparing
    return end <= start || receiver.admits(Int(end - start), at: start)
  }

  /// The verdict on bytes for which the part has no space; libcurl delivers them again after a moment.
  static var waitForRoom: BodyVerdict { .pause(until: TransferLoop.now() + 0.01) }

  func hand(to follower: DigestFollower?) { self.follower = follower }

  /// Sets the end of the body, after the rest was assigned to another connection or given up.
  func bound(to upper: Int64) { until = max(position, upper) }

  /// Passes on the bytes flushed since the last call.
  func takeFlushed(_ take: (BlockSums.Extent) -> Void) {
    guard !unreported.isEmpty else { return }
    unreported.forEach(take)
    unreported.removeAll(keepingCapacity: true)
  }

  /// Returns the bytes among the just delivered `bytes` that are beyond the expected end.
  func surplus(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.suffix(surplusCount))
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Result {
    var rest = bytes
    if comparing > 0 {
      let count = Int(min(comparing, Int64(rest.count)))
      guard part.holds(UnsafeRawBufferPointer(rebasing: rest[..<count]), at: position) else { return .differs }
      comparing -= Int64(count)
      position += Int64(count)
      writtenBack = position
      reserved = position
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    var result = Result.taken
    surplusCount = 0
    if let until, Int64(rest.count) > until - position {
      result = span.map { Int64(rest.count) > $0 - position } ?? false ? .overrun : .excess
      surplusCount = rest.count - Int(until - position)
      rest = UnsafeRawBufferPointer(rebasing: rest[..<Int(until - position)])
    }
    while !rest.isEmpty {
      let count = buffer.append(rest)
      position += Int64(count)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if buffer.isFull {
        do throws(Failure) { try flush() } catch { return .failed(error) }
      }
    }
    return result
  }

  /// Writes gathered bytes that have waited too long.
  func flush(ifDue now: Double) throws(Failure) {
    guard buffer.count > 0 else { return waitingSince = nil }
    let since = waitingSince ?? now
    waitingSince = since
    if now - since >= BodyWriter.patience { try flush() }
  }

  func flush() throws(Failure) {
    waitingSince = nil
    guard buffer.count > 0 else { return }
    let start = flushed
    try reserveAhead(of: position)
    let spare = follower?.spare(for: buffer, at: start)
    // Bytes that are not hashed from the buffer will soon be read again, so they stay in memory.
    let stays = !isUncached || follower != nil && spare == nil
    let wasCached: Bool
    do {
      wasCached = try part.write(buffer.bytes, at: start, stayingInMemory: stays)
    } catch {
      if let spare { follower?.giveBack(spare) }
      throw error
    }
    note(buffer.bytes, at: start)
    if let spare {
      follower?.take(buffer, at: start)
      if pooled === buffer { pooled = spare }
      buffer = spare
    } else {
      buffer.clear()
    }
    guard wasCached else { return limitByRate(from: start) }
    // The storage does not support uncached writes.
    if !stays { isUncached = false }
    if isUncached {
      buffer.limit(to: GatherBufferPool.bufferSize)
    } else if buffer.isLarge {
      // The file system does not support uncached writes.
      buffer = GatherBuffer(capacity: GatherBufferPool.bufferSize)
    }
    if position - writtenBack >= BodyWriter.writeBackStep {
      part.startWriteBack(writtenBack..<position)
      writtenBack = position
    }
  }

  /// Gathers many bytes only on a fast connection, because gathered bytes are lost if the process dies (P21).
  private func limitByRate(from start: Int64) {
    let now = TransferLoop.now()
    let isFast = flushedAt.map { Double(position - start) >= (now - $0) * BodyWriter.fastRate } ?? false
    flushedAt = now
    if isFast { buffer.unlimit() } else { buffer.limit(to: GatherBufferPool.bufferSize) }
  }

  /// Returns the buffer. The writer must not be used after this call.
  func surrender() -> GatherBuffer { pooled }

  /// Computes the checksums of written bytes while they are still in the processor's cache.
  private func note(_ bytes: UnsafeRawBufferPointer, at start: Int64) {
    var (rest, lower) = (bytes, start)
    while !rest.isEmpty {
      let upper = min(lower + Int64(rest.count), (lower / BlockSums.block + 1) * BlockSums.block)
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<Int(upper - lower)])
      if let last = unreported.indices.last, unreported[last].upper == lower, lower % BlockSums.block != 0 {
        unreported[last].upper = upper
        unreported[last].sum.update(piece)
      } else {
        unreported.append(BlockSums.Extent(lower..<upper, CRC32C(of: piece)))
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
      lower = upper
    }
  }

  private func reserveAhead(of end: Int64) throws(Failure) {
    guard let total = until ?? total, total >= BodyWriter.reserveLeast, end > reserved, reserved < total else { return }
    let upper = max(end, reserved + min(BodyWriter.reserveStep, total - reserved))
    try part.reserve(reserved..<upper)
    reserved = upper
  }
}
