// Compares bytes where one connection continues the bytes of another, and gives up bytes that differ (P18).
// SegmentJoints records the joints that are in doubt.

internal import Curl
internal import DrayCore
internal import Synchronization

extension ConnectionGroup {
  // MARK: The beginning of a piece

  /// Returns how many bytes before `lower` a source must repeat. The repeated bytes check the end of an interrupted
  /// connection, and detect another version before its bytes count.
  func overlap(before lower: Int64, of source: Int) -> Int64 {
    if joints.isDoubted(lower) { return Int64(joints.compared(before: lower, in: run(before: lower)).count) }
    guard sources[source].proof == .comparison else { return 0 }
    let count = min(lower, Joint.overlap)
    return outside.written.contains(lower - count..<lower) ? count : 0
  }

  /// Returns the bytes on disk that count and that end at `place`.
  func run(before place: Int64) -> Segment? {
    guard let run = plan.done.segments.first(where: { $0.lowerBound < place && place <= $0.upperBound }),
      let last = outside.written.clamped(to: run.lowerBound..<place).segments.last, last.upperBound == place
    else { return nil }
    return last
  }

  /// Records that the overlap at `place` matched.
  func proveJoint(at place: Int64) { joints.prove(place) }

  /// Records that the overlap at `place` differs, so that fewer bytes before it are trusted.
  func moveJointBack(_ place: Int64) {
    guard ending == nil else { return }
    let run = run(before: place)
    guard let lost = joints.moveBack(place, in: run), joints.mayMoveAgain(reached: outside.written.count) else {
      ending = ending ?? .failed(unfinished)
      return
    }
    if lost == run, outside.written.count > Int64(lost.count) {
      // The overlap did not match at any place, so the bytes on disk or those of the answer may be of another version
      // (P2).
      ending = ending ?? .restart(.changed("its bytes differ"))
    } else {
      giveUp(lost, .wrongTail(Int64(lost.count)))
    }
  }

  // MARK: The end of a piece

  /// Whether a request must go beyond the end of its piece, `place`, to get bytes for a comparison with other
  /// connections.
  func needsSurplus(of worker: any SegmentWorker, at place: Int64) -> Bool {
    worker.member.purpose == .fetch && counts(worker) && place < size && !plan.unowned.contains(place..<place + 1)
  }

  /// Whether a member at the end of its piece, `until`, must wait for bytes to compare.
  func awaitsNeighbour(_ worker: any SegmentWorker, at until: Int64) -> Bool {
    guard counts(worker), !plan.unowned.contains(until..<until + 1) else { return false }
    let now = TransferLoop.now()
    let seam = seam(of: worker, at: until, now: now)
    guard now - seam.since < Seam.patience else { return false }
    let most = min(Seam.usual, worker.member.carries - until)
    return brought(from: until, atMost: most, settling: false) < most
  }

  /// Whether a member at the end of its piece, `until`, may leave: because the following bytes were compared, or
  /// because these bytes take too long to arrive.
  func mayLeave(_ worker: any SegmentWorker, at until: Int64) -> Bool {
    guard counts(worker), !plan.unowned.contains(until..<until + 1) else { return true }
    let now = TransferLoop.now()
    let seam = seam(of: worker, at: until, now: now)
    return seam.differs || seam.compared >= Seam.usual || now - seam.since >= Seam.patience
  }

  /// Compares the bytes that a member receives beyond the end of its piece with those of the next member.
  func passesEnd(_ worker: any SegmentWorker, _ writer: BodyWriter, _ surplus: UnsafeRawBufferPointer) -> BodyVerdict {
    guard let until = writer.until, counts(worker) else {
      worker.member.isDismissed = true
      return .abort
    }
    var seam = seam(of: worker, at: until, now: TransferLoop.now())
    seam.isPassed = true
    let place = until + seam.compared
    let count = brought(from: place, atMost: Int64(surplus.count), settling: true)
    let piece = UnsafeRawBufferPointer(rebasing: surplus.prefix(Int(count)))
    seam.differs = count > 0 && !part.holds(piece, at: place)
    seam.compared += count
    worker.member.seam = seam
    let isEnough = seam.compared >= min(Seam.usual, worker.member.carries - until)
    // The answer ends with the compared bytes, so its connection can be reused.
    if !seam.differs, isEnough, until + seam.compared == worker.member.carries { return .taken }
    // The next member has no more bytes to compare, so drop the rest; bytes after a gap would prove nothing.
    guard !seam.differs, !isEnough, count == Int64(surplus.count) else {
      worker.member.isDismissed = true
      return .abort
    }
    return .taken
  }

  /// Records how many bytes a member's connection received: the more it received, the more bytes the next connections
  /// repeat.
  func noteGiven(by worker: any SegmentWorker, _ writer: BodyWriter, _ end: SegmentEnd) {
    // A comparison that ended at a difference says nothing about the network path.
    if case .parted = end { return }
    guard writer.given > 0 else { return }
    shared.given[task.partName] = writer.given
    if writer.isComparing { joints.shorten(worker.member.lower, after: writer.given) }
  }

  /// Records that the bytes of a member end at `place`. If nothing proves the last bytes, the next connection must
  /// prove them.
  func noteEnd(of worker: any SegmentWorker, _ writer: BodyWriter?, at place: Int64) {
    // A complete answer was not cut off, so its end is not in doubt.
    guard counts(worker), let writer, writer.position < worker.member.carries else { return }
    let seam = worker.member.seam.flatMap { $0.place == place ? $0 : nil }
    let isWrong = seam?.differs ?? false
    let isProved = seam.map { $0.compared >= min(Seam.least, worker.member.carries - place) } ?? false
    if isProved, !isWrong { return }
    if isWrong, let mirror = unprovedSource(of: place) {
      // The bytes after the piece are from a mirror, so the file's own server is right (P16).
      leaveMirror(mirror, because: "it differs: its bytes are not the same")
      return joints.doubt(place)
    }
    let given = part.isReadable ? writer.given : nil
    if plan.unowned.contains(place..<place + 1), !isWrong { return joints.doubt(place, after: given) }
    guard let lost = joints.cutTail(place, in: run(before: place), isWrong: isWrong, after: given) else { return }
    if ending != nil || outside.isCancelled {
      // A later attempt will find a gap here and prove the joint.
      outside.takeBack(lost)
    } else if isWrong, joints.isHopeless(place) {
      ending = .restart(.changed("its bytes differ"))
    } else if joints.mayMoveAgain(reached: outside.written.count) {
      giveUp(lost, isWrong ? .wrongTail(Int64(lost.count)) : nil)
    } else {
      outside.takeBack(lost)
      ending = .failed(unfinished)
    }
  }

  /// Returns the mirror that sent the byte at `place`, if that byte was not compared yet and is on disk or in transit;
  /// `nil` if no mirror sent it.
  private func unprovedSource(of place: Int64) -> Int? {
    if let source = unproved.holder(of: place) { return source }
    guard let piece = plan.pieces.first(where: { $0.lower <= place && place < $0.upper }),
      let worker = members.first(where: { $0.member.piece == piece.id }), !counts(worker)
    else { return nil }
    return worker.member.source
  }

  private func seam(of worker: any SegmentWorker, at until: Int64, now: Double) -> Seam {
    if let seam = worker.member.seam, seam.place == until { return seam }
    let seam = Seam(place: until, since: now)
    worker.member.seam = seam
    return seam
  }

  /// Whether a member's bytes count as soon as they are written. If not, they are compared at both ends later.
  private func counts(_ worker: any SegmentWorker) -> Bool { sources[worker.member.source].proof != .comparison }

  /// Returns how many bytes starting at `place` other connections have received, at most `most`.
  /// - Parameter settling: Whether to write these bytes to disk first.
  private func brought(from place: Int64, atMost most: Int64, settling: Bool) -> Int64 {
    var end = place
    while end - place < most {
      if let run = plan.done.segments.first(where: { $0.contains(end) }) {
        end = run.upperBound
        continue
      }
      guard let piece = plan.pieces.first(where: { $0.lower <= end && end < $0.upper }),
        let worker = members.first(where: { $0.member.piece == piece.id }), !worker.member.isRejected,
        let writer = worker.writer, !writer.isComparing, !settling || worker.settle()
      else { break }
      let upper = settling ? writer.flushed : writer.position
      guard upper > end else { break }
      end = upper
    }
    return min(most, end - place)
  }

  // MARK: Giving up

  var recorded: Checkpoint {
    Checkpoint(
      segments: outside.written, sums: outside.sums, size: size, validators: validators, offered: offered,
      provenance: outside.provenance)
  }

  /// Gives up bytes so that they are requested again. If a durable record covers the old bytes, new bytes wait until
  /// the record no longer covers them.
  /// - Parameter reason: The reason to report; `nil` to report nothing.
  func giveUp(_ wanted: Segment, _ reason: StartOver?) {
    if let reason { observer.transferRestarts(reason) }
    let bytes = outside.takeBack(wanted)
    plan.lose(SegmentSet(bytes))
    recount()
    // The new digest follower hashes the bytes from the start.
    for worker in members where worker.member.purpose == .fetch && counts(worker) {
      worker.writer?.hand(to: outside.follower)
    }
    reduction.giveUp(recorded, in: part, observer)
  }

  /// Gives up the bytes of a wrong answer. The answer that replaces these bytes must prove where its own bytes belong.
  func withdraw(_ bytes: Segment, because reason: String) {
    if ending == nil, !bytes.isEmpty {
      giveUp(bytes, .wrongPart(reason))
      joints.doubt(bytes.lowerBound)
    }
  }
}
