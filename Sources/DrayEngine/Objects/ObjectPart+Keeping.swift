// Decides which bytes of an upload are kept: compares bytes by checksums, gives up bytes, and records the remaining
// bytes for a checkpoint.

#if ObjectStores

internal import DrayCore
internal import Posix
internal import Synchronization
internal import Threads

extension ObjectPart {
  // MARK: Comparing

  var isReadable: Bool { state.withLock { $0.isSingle } }

  var holding: SegmentSet? {
    state.withLock { state in
      var all = SegmentSet()
      for part in state.parts {
        let lower = state.range(of: part.number).lowerBound
        all.insert(lower..<lower + part.size)
      }
      return all
    }
  }

  /// Compares bytes with those in memory; otherwise, with the hash of the end of a confirmed part. With the hash, the
  /// result is known only at the last byte of the part.
  func holds(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool {
    state.withLock { state in
      var (rest, position) = (bytes, position)
      while !rest.isEmpty {
        guard let number = state.plan?.number(at: position) else { return false }
        let range = state.range(of: number)
        let count = Int(min(Int64(rest.count), range.upperBound - position))
        guard count > 0 else { return false }
        let piece = UnsafeRawBufferPointer(rebasing: rest[..<count])
        guard ObjectPart.holds(piece, at: position, range, number, &state) else { return false }
        position += Int64(count)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return true
    }
  }

  private static func holds(
    _ piece: UnsafeRawBufferPointer, at position: Int64, _ range: Segment, _ number: Int, _ state: inout State
  ) -> Bool {
    guard let cell = state.cells[number] else { return false }
    let end = position + Int64(piece.count)
    let part = range.lowerBound..<range.lowerBound + (cell.part?.size ?? Int64(range.count))
    // Hash even while the bytes are in memory: the memory is freed when the server confirms the part, which may happen
    // before the next piece arrives.
    let tail = max(part.lowerBound, part.upperBound - Joint.overlap)..<part.upperBound
    let head = part.lowerBound..<min(part.lowerBound + Int64(PartCell.headLength), part.upperBound)
    let isEndKnown = state.tails[number, default: EndChecks()].take(piece, at: position, of: tail)
    let isStartKnown = state.heads[number, default: EndChecks()].take(piece, at: position, of: head)
    if let buffer = cell.buffer, cell.filled.contains(position..<end) {
      return buffer.holds(piece, at: Int(position - range.lowerBound))
    }
    guard let confirmed = cell.part else { return false }
    return isEndKnown.agrees(with: confirmed.tail) ?? isStartKnown.agrees(with: confirmed.head) ?? false
  }

  func comparable(_ places: [Segment]) -> [Segment] {
    state.withLock { state in
      let tails = state.parts.filter { $0.tail != nil }.map { part -> Segment in
        let lower = state.range(of: part.number).lowerBound
        return max(lower, lower + part.size - Joint.overlap)..<lower + part.size
      }
      guard !tails.isEmpty else { return places }
      var found: [Segment] = []
      for place in places {
        let near = tails.first { $0.upperBound >= place.upperBound } ?? tails[tails.count - 1]
        if !found.contains(near) { found.append(near) }
      }
      return found
    }
  }

  // MARK: Giving up

  func giveUp(_ bytes: Segment) -> Segment {
    state.withLock { state in
      guard let plan = state.plan, !bytes.isEmpty, let first = plan.number(at: bytes.lowerBound),
        let last = plan.number(at: bytes.upperBound - 1)
      else { return bytes }
      var (lower, upper) = (bytes.lowerBound, bytes.upperBound)
      for number in first...last {
        guard var cell = state.cells[number] else { continue }
        if cell.isFilling {
          cell.filled.remove(bytes)
          state.cells[number] = cell
          continue
        }
        // Give up the whole part, because its bytes will leave memory, and the server keeps only whole parts.
        let range = state.range(of: number)
        (lower, upper) = (min(lower, range.lowerBound), max(upper, range.upperBound))
        release(cell)
        state.cells[number] = nil
        state.hash?.stop()
      }
      return lower..<upper
    }
  }

  /// Starts over because the file has another version.
  func startOver() {
    let old = state.withLock { state -> ObjectUpload? in
      for cell in state.cells.values { release(cell) }
      state.cells = [:]
      state.epoch += 1
      state.underWay = []
      (state.plan, state.length, state.failure, state.published) = (nil, nil, nil, nil)
      (state.start, state.isResting, state.isBeginning) = ([], false, false)
      (state.tails, state.heads) = ([:], [:])
      state.hash = nil
      return state.upload.take()
    }
    guard let old else { return }
    Task { [home, pass] in await home.discard(old, pass: pass) }
  }

  // MARK: Durability

  func startWriteBack(_ range: Segment) {}

  /// The seconds to wait at the end of an attempt for the parts that are being sent; the second value applies if the
  /// run is stopped.
  private static let (patience, lastPatience) = (5.0, 2.0)

  private var isWaiting: Bool {
    let isEnding = home.client.isEnding()
    return state.withLock { state in
      guard state.isResting else { return false }
      if state.begins > 0 { return true }
      return state.failure == nil && state.upload != nil
        && state.cells.values.contains { $0.isSending || $0.isFull && !isEnding }
    }
  }

  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet {
    // Wait for the parts that are being sent, because the next attempt would have to fetch them again. Also wait for an
    // upload that is just beginning: if the process ends before the upload has a mark, nobody will find the upload.
    let start = SteadyClock.now()
    while isWaiting,
      SteadyClock.now() - start < (home.client.isEnding() ? ObjectPart.lastPatience : ObjectPart.patience)
    {
      System.pause(0.01)
    }
    return (holding ?? SegmentSet()).intersection(written)
  }

  func record(of durable: SegmentSet) -> ObjectUpload? {
    state.withLock { state in
      guard var upload = state.upload else { return nil }
      upload.parts = state.parts.filter { part in
        let lower = state.range(of: part.number).lowerBound
        return durable.contains(lower..<lower + part.size)
      }
      upload.startBytes = state.start
      return upload
    }
  }

  func sync() throws(Failure) {}

  func checkWriteBack() throws(Failure) {}

  // MARK: Digests

  func hash(_ algorithms: [DigestAlgorithm]) {
    state.withLock { state in
      guard !algorithms.isEmpty else { return state.hash = nil }
      if let hash = state.hash, hash.algorithms == algorithms { return }
      // Parts are hashed when their sending starts, so parts that are already full may have been missed.
      state.hash = OrderedHash(algorithms, isBroken: state.cells.values.contains { !$0.isFilling })
    }
  }

  func hashed(_ algorithms: [DigestAlgorithm]) -> [DigestValue]? {
    let (hash, count) = state.withLock { state in
      (state.hash, state.length.flatMap { length in state.plan?.count(of: length) })
    }
    guard let hash, let count, algorithms.allSatisfy(hash.algorithms.contains), let values = hash.values(count) else {
      return nil
    }
    return algorithms.compactMap { wanted in values.first { $0.algorithm == wanted } }
  }

  func mustProve(
    _ algorithms: [DigestAlgorithm], _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) {
    state.withLock { ($0.algorithms, $0.judge) = (algorithms, judge) }
  }

  var provedDigest: SourcedDigest? { state.withLock { $0.proved } }

  var boundName: String? { state.withLock { $0.upload.map { PathText.name(of: $0.key) } } }
}

extension ObjectPart.State {
  /// Whether parts are being sent, or wait to be sent.
  var hasParcels: Bool { cells.values.contains { $0.isFull || $0.isSending } }
}

#endif
