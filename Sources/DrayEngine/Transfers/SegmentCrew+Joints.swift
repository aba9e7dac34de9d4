// Where bytes of one connection follow those of another: what is compared there, and what is given up where it differs (P18).
// Which joints are in doubt is SegmentJoints' bookkeeping.

internal import Curl
internal import DrayCore
internal import Synchronization

/// What is given up durably while connections go on: what may take its place waits until that is done.
final class Unclaiming: Sendable {
  private struct State {
    var pending = 0
    var failure: Failure?
  }

  private let state = Mutex(State())

  /// Whether something durable may still claim what was given up.
  var isPending: Bool { state.withLock { $0.pending > 0 || $0.failure != nil } }

  /// Why it cannot be given up.
  var failure: Failure? { state.withLock { $0.failure } }

  /// Waits for `task`.
  func wait(for task: Task<Result<Void, Failure>, Never>) {
    state.withLock { $0.pending += 1 }
    Task {
      let result = await task.value
      state.withLock { state in
        state.pending -= 1
        if case .failure(let failure) = result { state.failure = failure }
      }
    }
  }
}

extension SegmentCrew {
  // MARK: The beginning of a piece

  /// Bytes before `lower` that a source has to repeat: where the connection before was interrupted, and where an answer of
  /// another version is to end before it has begun.
  func overlap(before lower: Int64, of source: Int) -> Int64 {
    if joints.isDoubted(lower) { return Int64(joints.compared(before: lower, in: run(before: lower)).count) }
    guard sources[source].proof == .comparison else { return 0 }
    let count = min(lower, Joint.overlap)
    return outside.written.contains(lower - count..<lower) ? count : 0
  }

  /// The bytes that are there, count and end at `place`.
  func run(before place: Int64) -> Segment? {
    guard let run = plan.done.segments.first(where: { $0.lowerBound < place && place <= $0.upperBound }),
      let last = outside.written.clamped(to: run.lowerBound..<place).segments.last, last.upperBound == place
    else { return nil }
    return last
  }

  /// The overlap at `place` is the same.
  func proveJoint(at place: Int64) { joints.prove(place) }

  /// The overlap at `place` is not the same: what is believed before it ends earlier.
  func moveJointBack(_ place: Int64) {
    guard ending == nil else { return }
    let run = run(before: place)
    guard let lost = joints.moveBack(place, in: run), joints.mayMoveAgain(reached: outside.written.count) else {
      ending = ending ?? .failed(unfinished)
      return
    }
    if lost == run, outside.written.count > Int64(lost.count) {
      // Nowhere was it the same: the other bytes may be of another version (P2).
      ending = ending ?? .restart(.changed("its bytes differ"))
    } else {
      giveUp(lost, .wrongTail(Int64(lost.count)))
    }
  }

  // MARK: The end of a piece

  /// Whether a member has to wait at the end of its piece, `until`, for bytes to compare with its own.
  func awaitsNeighbour(_ worker: any SegmentWorker, at until: Int64) -> Bool {
    guard counts(worker), !plan.unowned.contains(until..<until + 1) else { return false }
    let now = TransferLoop.now()
    let seam = seam(of: worker, at: until, now: now)
    guard now - seam.since < Seam.patience else { return false }
    let most = min(Seam.usual, worker.member.carries - until)
    return brought(from: until, atMost: most, settling: false) < most
  }

  /// Whether a member that is at the end of its piece, `until`, may leave: what follows was compared, or takes too long.
  func mayLeave(_ worker: any SegmentWorker, at until: Int64) -> Bool {
    guard counts(worker), !plan.unowned.contains(until..<until + 1) else { return true }
    let now = TransferLoop.now()
    let seam = seam(of: worker, at: until, now: now)
    return seam.differs || seam.compared >= Seam.usual || now - seam.since >= Seam.patience
  }

  /// Compares bytes that a member brings behind the end of its piece with those that another has put there.
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
    // Bytes that nothing is there to compare with are gone: those behind them say nothing any more.
    guard !seam.differs, !isEnough, count == Int64(surplus.count) else {
      worker.member.isDismissed = true
      return .abort
    }
    return .taken
  }

  /// Notes how the bytes of a member end, at `place`: where nothing proves the last of them, what follows them has to.
  func noteEnd(of worker: any SegmentWorker, _ writer: BodyWriter?, at place: Int64) {
    // All of an answer came: nothing was cut.
    guard counts(worker), let writer, writer.position < worker.member.carries else { return }
    let seam = worker.member.seam.flatMap { $0.place == place ? $0 : nil }
    let isWrong = seam?.differs ?? false
    let isProved = seam.map { $0.compared >= min(Seam.least, worker.member.carries - place) } ?? false
    if isProved, !isWrong { return }
    if plan.unowned.contains(place..<place + 1), !isWrong { return joints.doubt(place) }
    guard let lost = joints.cutTail(place, in: run(before: place), isWrong: isWrong) else { return }
    if ending != nil || outside.isCancelled {
      // A later attempt finds a gap there, and proves the joint.
      outside.takeBack(lost)
    } else if joints.mayMoveAgain(reached: outside.written.count) {
      giveUp(lost, isWrong ? .wrongTail(Int64(lost.count)) : nil)
    } else {
      ending = .failed(unfinished)
    }
  }

  private func seam(of worker: any SegmentWorker, at until: Int64, now: Double) -> Seam {
    if let seam = worker.member.seam, seam.place == until { return seam }
    let seam = Seam(place: until, since: now)
    worker.member.seam = seam
    return seam
  }

  /// Whether a member's bytes count as they come: what does not is compared at both ends anyway.
  private func counts(_ worker: any SegmentWorker) -> Bool { sources[worker.member.source].proof != .comparison }

  /// How many bytes from `place` on others have brought, up to `most`.
  /// - Parameter settling: whether they are to be on disk.
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

  /// What may be claimed now.
  var recorded: Checkpoint {
    Checkpoint(
      segments: outside.written, sums: outside.sums, size: size, validators: validators, offered: offered,
      provenance: outside.provenance)
  }

  /// Gives bytes up: they are asked for again, and nothing takes their place as long as something durable claims them.
  /// - Parameter reason: what is said of it, if anything.
  func giveUp(_ bytes: Segment, _ reason: StartOver?) {
    if let reason { observer.transferRestarts(reason) }
    outside.takeBack(bytes)
    plan.lose(SegmentSet(bytes))
    recount()
    // What was hashed of them is hashed again, by another hasher.
    for worker in members where worker.member.purpose == .fetch && counts(worker) {
      worker.writer?.hand(to: outside.follower)
    }
    unclaiming.wait(for: Transfer.unclaim(recorded, observer))
  }

  /// Gives up what a wrong answer brought; what comes in its place has to prove where it belongs.
  func withdraw(_ bytes: Segment, because reason: String) {
    if ending == nil, !bytes.isEmpty {
      giveUp(bytes, .wrongPart(reason))
      joints.doubt(bytes.lowerBound)
    }
  }
}
