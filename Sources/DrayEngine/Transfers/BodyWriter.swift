// Puts body bytes into the storage of a part: gathered, at their place, no further than they may go.

internal import DrayCore

/// The way of body bytes into the storage of a part. Lives on the loop's thread; as bytes come it
/// allocates no more than buffers for those that wait to be hashed.
final class BodyWriter {
  /// What became of bytes.
  enum Result {
    case taken
    /// All that may come has come; these bytes, or some, lie beyond.
    case excess
    /// The same, and they lie beyond what the answer itself said that it brings.
    case overrun
    /// Bytes that repeat what is on disk are not the same.
    case differs
    case failed(Failure)
  }

  /// Bytes after which write-back is started, so that the sync at the end finds little to do.
  static let writeBackStep: Int64 = 8 << 20
  /// Disk blocks are reserved this far ahead: enough to keep a file together, and a length that is a lie costs no more.
  static let reserveStep: Int64 = 1 << 30
  /// Files from this length on do not stay in memory: they would push out what is of more use, and fresh memory for them
  /// costs more than all else of a transfer (Benchmarks/).
  static let uncachedLeast: Int64 = 128 << 20
  /// Whether a file of this length is gathered in large buffers and does not stay in memory.
  static func isLarge(_ size: Int64?) -> Bool { size ?? 0 >= uncachedLeast }
  /// Seconds after which bytes are written although the buffer is not full, so that a checkpoint has them (P4).
  static let patience = 0.5
  /// Files up to this length are not worth a reservation.
  static let reserveLeast: Int64 = 1 << 20

  let part: any PartStorage
  /// Where writing begins, after what is compared.
  let start: Int64
  /// Where the next byte goes, gathered ones counted.
  private(set) var position: Int64
  /// Where the body ends, as far as is known: what lies beyond is not taken.
  private(set) var until: Int64?
  /// Where the answer says that it ends, where it is a part.
  private let span: Int64?
  private let total: Int64?
  private var comparing: Int64
  private var buffer: GatherBuffer
  /// What goes back to the pool at the end: the buffer, or one of the size that it had.
  private var pooled: GatherBuffer
  private var isUncached: Bool
  /// Who hashes what is written.
  private var follower: DigestFollower?
  /// When it was seen first that bytes wait.
  private var waitingSince: Double?
  private var writtenBack: Int64
  private var reserved: Int64
  /// What is flushed and was not reported yet, with its checksum: split at block boundaries.
  private var unreported: [BlockSums.Extent] = []
  /// The number of last bytes beyond the expected end.
  private var surplusCount = 0

  init(
    part: any PartStorage, at position: Int64, until: Int64?, span: Int64? = nil, total: Int64?, comparing: Int64,
    buffer: GatherBuffer
  ) {
    self.part = part
    self.span = span
    start = position + comparing
    self.position = position
    self.until = until
    self.total = total
    self.comparing = comparing
    self.buffer = buffer
    pooled = buffer
    isUncached = buffer.isLarge
    writtenBack = position
    reserved = position
  }

  /// One past the last byte that a `write` has put there.
  var flushed: Int64 { position - Int64(buffer.count) }

  /// What was written of this answer.
  var brought: Segment { start..<max(start, flushed) }

  /// Whether all expected bytes came, as far as the head announced.
  var isDone: Bool { until == position }

  /// Whether all came that a part said it brings, others' bytes included.
  var hasSpan: Bool { span == position }

  /// Whether the overlap was not yet compared to its end.
  var isComparing: Bool { comparing > 0 }

  /// Hands what it writes to the hasher from now on.
  func hand(to follower: DigestFollower?) { self.follower = follower }

  /// Accepts bytes up to `upper` from now on, if the rest was given to another connection or came back from it.
  func bound(to upper: Int64) { until = max(position, upper) }

  /// Returns what was flushed since the last call.
  func takeFlushed(_ take: (BlockSums.Extent) -> Void) {
    guard !unreported.isEmpty else { return }
    unreported.forEach(take)
    unreported.removeAll(keepingCapacity: true)
  }

  /// The bytes of the last piece beyond the expected end.
  func surplus(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.suffix(surplusCount))
  }

  /// Receives bytes of the body.
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

  /// Writes what has waited too long.
  func flush(ifDue now: Double) throws(Failure) {
    guard buffer.count > 0 else { return waitingSince = nil }
    let since = waitingSince ?? now
    waitingSince = since
    if now - since >= BodyWriter.patience { try flush() }
  }

  /// Writes what was gathered.
  func flush() throws(Failure) {
    waitingSince = nil
    guard buffer.count > 0 else { return }
    let start = flushed
    try reserveAhead(of: position)
    let spare = follower?.spare(for: buffer, at: start)
    // What is not hashed from here will be read again soon: it stays in memory.
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
    guard wasCached else { return buffer.unlimit() }
    // The storage cannot write in another way.
    if !stays { isUncached = false }
    if isUncached {
      buffer.limit(to: GatherBufferPool.bufferSize)
    } else if buffer.isLarge {
      // The file system has no such writes.
      buffer = GatherBuffer(capacity: GatherBufferPool.bufferSize)
    }
    if position - writtenBack >= BodyWriter.writeBackStep {
      part.startWriteBack(writtenBack..<position)
      writtenBack = position
    }
  }

  /// The buffer, back for the pool; the writer is of no use after this.
  func surrender() -> GatherBuffer { pooled }

  /// Sums what was written, as long as the processor has it at hand.
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
