// The connections that fetch a file together; only the loop's thread uses them. SegmentPlan assigns ranges of the file
// to them, and ConnectionGrowth decides how many there are. This file opens and closes connections as these two decide,
// and ends the transfer.

internal import Curl
internal import DrayCore
internal import Threads

private struct GroupTiming {
  var next = 0.0
  var isLooking = false
  /// Whether observers hear about the pieces. They do not if there is only one.
  var isShown = false
}

/// The connections of a file, on the loop's thread. The object lives for as long as any of its members.
final class ConnectionGroup {
  /// How the transfer ends once all members have left the group.
  enum Ending {
    case whole
    case cancelled
    case failed(Failure)
    case restart(StartOver)
    /// The job's own connection requests the rest of the file, and the answer decides about the job.
    case alone
  }

  /// The seconds between two checks once the group has stopped growing.
  private static let interval = 0.1

  private let context: TransferContext
  var task: TransferPlan { context.plan }
  var outside: Transfer { context.outside }
  var observer: any TransferObserver { context.observer }
  var shared: SharedMemory { context.shared }
  var transport: TransportMemory { context.transport }
  private let file: GroupFile
  var part: any PartStorage { file.part }
  var size: Int64 { file.size }
  var validators: Validators { file.validators }
  var offered: [SourcedDigest] { file.offered + record.late }
  var record: GroupRecord
  var sources: [SegmentSource]
  var plan: SegmentPlan
  var lines: FileLines
  /// How many connections the servers accept.
  var limits = ServerLimits()
  var members: [any SegmentWorker] = []
  /// How the transfer ends; `nil` until that is decided. The first decision is the one that counts.
  var ending: Ending?
  /// The bytes from mirrors that do not count yet, and when they will be compared.
  var unproved = UnprovedBytes()
  var comparison = MirrorComparison()
  /// The joints that are unproved, and the bytes that are given up because of them.
  var joints: SegmentJoints
  let reduction = RecordReduction()
  /// The URL that answered the job's own request, after redirects.
  let homeURL: RequestURL
  let home: Origin
  let ceiling: Int
  private var beat = GroupTiming()
  private var isOver = false

  /// Creates a group with one member, `lead`, whose answer has arrived.
  /// - Parameters:
  ///   - canGrow: Whether other connections would help.
  ///   - info: The times of the lead's answer.
  init(
    _ context: TransferContext, _ file: GroupFile, lead: FileTransfer, record: GroupRecord, canGrow: Bool,
    info: TransferInfo
  ) {
    (self.context, self.file, self.record) = (context, file, record)
    let (task, shared) = (context.plan, context.shared)
    home = record.lastURL.origin
    homeURL = record.lastURL
    let isBrisk = task.hosts.request(task.request, at: record.lastURL).isBrisk
    let units = file.part.units
    let most = min(task.maxConnections, units?.mostWriters ?? .max)
    let single = shared.connections.singleUntil(task.request.address, now: WallClock.now())
    let ceiling = canGrow && isBrisk && single == nil ? most : 1
    self.ceiling = ceiling
    self.record.isTypical = ceiling >= JobOptions.defaultConnections / 2
    // The default number was found to help earlier, so a larger number may help as well.
    let helpful = shared.connections.helpful(at: home).flatMap {
      $0 < JobOptions.defaultConnections || $0 >= ceiling ? $0 : nil
    }
    comparison.isServed = record.response.head.status == 206
    // Mirrors are compared with bytes on disk, so it must be possible to read these.
    let withMirrors = canGrow && file.part.isReadable
    let now = TransferLoop.now()
    lines = FileLines(
      names: task.request.interfaces, first: lead.member.interface, ceiling: ceiling, learned: helpful,
      sources: withMirrors ? 1 + ConnectionGroup.mirrors(task, record.response, home: record.lastURL).count : 1,
      sample: LineSample(info, scheme: home.scheme, now: now, waited: context.outside.waited), now: now)
    sources = ConnectionGroup.sources(
      task, record.response, home: record.lastURL, lines, withMirrors: withMirrors)
    for index in sources.indices where sources[index].isOwn {
      sources[index].url = record.lastURL
      sources[index].validators = file.validators
      sources[index].standing = .proved
    }
    for index in sources.indices where !sources[index].isOwn {
      sources[index].url = context.transport.upgraded(sources[index].url)
    }
    plan = SegmentPlan(
      size: file.size, done: context.outside.written, unit: units?.unit, isInOrder: task.isInOrder)
    joints = SegmentJoints(unit: units?.unit ?? 1)
    lead.member.line = sources[0].line
    lead.member.piece = plan.adopt(lead.member.lower..<lead.member.carries, source: 0, now: now)
    // Nobody knows how the connections that brought these bytes ended, so the joints behind them are doubted.
    for run in plan.done.segments
    where run.upperBound < file.size && run.upperBound != lead.member.lower && !task.isProved(before: run.upperBound) {
      joints.doubt(run.upperBound)
    }
    members = [lead]
    shared.load.join(home, outside)
    outside.noteConnections(1)
    if let single, canGrow, isBrisk, most > 1 { observer.transferLimitsConnections(until: single) }
  }

  /// The seconds between two checks of the members.
  var lookInterval: Double {
    lines.isGrowing && ceiling > 1 && !lines.isHeldBack
      ? ConnectionGrowth.interval(latency: lines.latency) : ConnectionGroup.interval
  }

  // MARK: For its members

  /// Decides on `count` bytes that a member has received. Returns `nil` if they are accepted.
  func verdict(for worker: any SegmentWorker, _ writer: BodyWriter, count: Int) -> BodyVerdict? {
    if worker.member.isDismissed { return .abort }
    worker.member.isWaiting = false
    if worker.member.isGated {
      guard !reduction.isPending else { return .pause(until: TransferLoop.now() + 0.02) }
      worker.member.isGated = false
    }
    guard let until = writer.until, until < worker.member.carries, Int64(count) > until - writer.position else {
      return nil
    }
    // Bytes behind the end of the piece belong to another member, provided that the answer of that member is valid.
    // Until that is known, this member may still have to fetch them.
    worker.member.isWaiting =
      !(worker.member.seam?.isPassed ?? false) && (isAwaited(until) || awaitsNeighbour(worker, at: until))
    return worker.member.isWaiting ? .pause(until: TransferLoop.now() + 0.05) : nil
  }

  /// Whether a member has all its bytes, so that its connection must be closed.
  func lets(_ worker: any SegmentWorker, go writer: BodyWriter) -> Bool {
    guard let until = writer.until, writer.isDone, until < worker.member.carries, !isAwaited(until),
      mayLeave(worker, at: until)
    else { return false }
    worker.member.isDismissed = true
    return true
  }

  func dismisses(_ worker: any SegmentWorker, now: Double) -> Bool {
    if outside.isCancelled { return true }
    if ending == nil, let failure = reduction.failure {
      ending = .failed(failure)
      for worker in members { worker.member.isDismissed = true }
    }
    if now >= beat.next { look(now) }
    return worker.member.isDismissed || worker.writer.map { lets(worker, go: $0) } ?? false
  }

  /// Records the seconds from opening a connection to its first byte.
  func hears(_ worker: any SegmentWorker, after seconds: Double) {
    lines.hears(
      after: seconds, line: worker.member.line, scheme: worker.url.scheme, now: TransferLoop.now(),
      waited: outside.waited)
  }

  /// Counts bytes that a member has received.
  func arrived(_ count: Int, of worker: any SegmentWorker) {
    lines.note(count, line: worker.member.line)
  }

  func takeBuffer() -> GatherBuffer { shared.buffers.take(large: BodyWriter.isLarge(size)) }

  /// What the requests of all members have in common.
  var terms: ExchangeTerms {
    ExchangeTerms(
      transport: transport, hosts: task.hosts, cookies: task.cookies == nil ? nil : record.cookieLines,
      limiters: task.limiters)
  }

  /// Gives a member a connection of its own. If members were streams of one HTTP/2 connection, nothing would be gained.
  func setsApart(_ handle: EasyHandle) throws(CurlError) {
    try handle.set(.httpVersion, HTTPVersionCode.http11)
    try handle.set(.pipeWait, false)
    // The connection is closed afterwards, because libcurl would otherwise give it to the next file, which should be a
    // stream on the connection that carries several.
    if ResponseHead.isMultiplexed(record.response.head.version), shared.load.hasOthers(at: home) {
      try handle.set(.forbidReuse, true)
    }
  }

  func leave(_ worker: any SegmentWorker, _ writer: BodyWriter?, _ end: SegmentEnd) {
    let now = TransferLoop.now()
    members.removeAll { $0 === worker }
    shared.load.move(&worker.member.origin, to: nil)
    shared.lines.leave(&worker.member.interface)
    guard !isOver else { return }
    if worker.member.purpose != .fetch, repeatsComparison(of: worker, after: end, now: now) { return advance(now) }
    if worker.member.purpose == .proof {
      applyComparison(end, of: worker, now: now)
      return advance(now)
    }
    var end = end
    var progress: Int64 = 0
    if let piece = worker.member.piece {
      if let writer { noteGiven(by: worker, writer, end) }
      // While an overlap is compared, the position is before the segment.
      progress = max(0, (writer?.flushed ?? 0) - worker.member.lower)
      if worker.member.isRejected { progress = min(progress, provedLength(from: worker.member.lower)) }
      let upper = plan.pieces.first { $0.id == piece }?.upper ?? 0
      if case .done = end, !worker.member.isDismissed, worker.member.lower + progress < upper { end = .short }
      plan.end(piece, at: worker.member.lower + progress, now: now)
      if progress == 0 { giveBack(at: worker.member.lower) }
      if progress > 0 {
        sources[worker.member.source].strikes = 0
        noteEnd(of: worker, writer, at: worker.member.lower + progress)
      }
      if worker.member.isRejected { recount() }
    }
    apply(end, of: worker, progress: progress, now: now)
    advance(now)
  }

  // MARK: Progress

  /// Ends the transfer if the file is complete; otherwise fetches the missing bytes.
  private func advance(_ now: Double) {
    if ending == nil, outside.isCancelled { ending = .cancelled }
    if ending == nil, plan.isWhole, unproved.isEmpty {
      // Even if the plan says that all bytes are there, some of them may not count yet.
      let missing = outside.uncounted(of: size)
      if missing.isEmpty { ending = .whole } else { plan.lose(missing) }
    }
    guard let end = ending else {
      look(now)
      if members.allSatisfy({ $0.member.piece == nil && $0.member.purpose != .proof }) {
        ending = mayAskAlone(now) ? .alone : .failed(waiting(record.lastFailure ?? unfinished, now))
        carryOutEnding()
      }
      return
    }
    for worker in members { worker.member.isDismissed = true }
    // Members that only compare samples are not waited for, because they change nothing.
    if members.isEmpty || { if case .whole = end { plan.pieces.isEmpty } else { false } }() { carryOutEnding() }
  }

  private func look(_ now: Double) {
    guard !beat.isLooking, ending == nil else { return }
    beat.isLooking = true
    defer { beat.isLooking = false }
    beat.next = now + lookInterval * 0.9
    for worker in members {
      if let piece = worker.member.piece, let writer = worker.writer {
        let buffered = ceiling > 1 ? worker.unread : 0
        plan.note(piece, at: writer.position, buffered: buffered, isWaiting: worker.member.isWaiting, now: now)
      }
    }
    grow(now)
    boundGrowth(now)
    if lines.limit > 1 || ceiling > 1 && plan.rate(now: now) > 0 { tryMirrors(now) }
    compareUnproved(now)
    for action in plan.next(room(now), now: now) {
      switch action {
      case .trim(let piece, let upper): member(piece)?.bound(to: upper)
      case .close(let piece): member(piece)?.member.isDismissed = true
      case .open(let piece, let segment, let source): open(piece, segment, at: source)
      }
    }
    outside.noteConnections(plan.pieces.count)
    if beat.isShown || plan.pieces.count > 1 {
      beat.isShown = plan.pieces.count > 1
      outside.noteFetching(beat.isShown ? plan.pieces.map { $0.position..<$0.upper } : [])
    }
  }

  private func member(_ piece: PieceID) -> (any SegmentWorker)? { members.first { $0.member.piece == piece } }

  private func open(_ piece: PieceID, _ segment: Segment, at source: Int) {
    record.isMixed = true
    let worker = SegmentTransfer(self, piece, segment, at: source)
    worker.member.isGated = reduction.isPending
    add(worker)
  }

  func compare(_ places: [Segment], at source: Int, _ purpose: MemberPurpose) {
    add(SampleMember(self, purpose, places, at: source))
  }

  private func add(_ worker: any SegmentWorker & LoopTransfer) {
    members.append(worker)
    outside.startPart { [box = Box(worker)] in box.worker }
  }

  // MARK: The end

  /// Delivers the outcome, or continues with another ``FileTransfer``. This is called only once.
  private func carryOutEnding() {
    guard !isOver, let ending else { return }
    isOver = true
    for worker in members { worker.member.isDismissed = true }
    shared.load.leave(home, outside)
    if let learned = lines.learned, record.isTypical, sources.count == 1 {
      shared.connections.learn(learned, of: home)
    }
    outside.noteConnections(0)
    outside.noteFetching([])
    let end: TransferEnd
    switch ending {
    case .restart(let reason): return restart(reason)
    case .alone: return askAlone()
    case .whole: end = .whole(part, size: size, .proved)
    case .cancelled: end = .cancelled
    case .failed(let failure): end = .failed(failure)
    }
    let written = outside.written
    // Reserved blocks behind the received bytes are released, for other files or for the next attempt.
    if case .whole = end {} else { part.trim(to: written.end) }
    outside.deliver(
      TransferOutcome(
        end: end, response: record.response, resumedFrom: record.resumedFrom, reached: written.count,
        startedOver: record.startedOver, lastURL: record.lastURL, wasSent: true, cookies: record.cookies,
        offered: offered, isMixed: record.isMixed, hasSeeds: !task.proved.isEmpty))
  }

  /// The transfer starts again with one connection, because other answers of this server may disagree as well. Only if
  /// there are two versions, the file gets one connection the next times, too.
  private func restart(_ reason: StartOver) {
    if case .changed = reason { noteDisagreement() }
    var task = task
    task.checkpoint = Checkpoint()
    task.startOver = reason
    task.maxConnections = 1
    goOn(with: task, reduction.last)
  }

  /// Whether the job's own connection may request the rest, after an answer that did not allow further connections. It
  /// may do so once, and again after each progress.
  private func mayAskAlone(_ now: Double) -> Bool {
    guard !sources[0].servesRanges, !shared.load.isHeld(sources[0].url.origin, now: now) else { return false }
    return task.askedAlone.map { outside.written.count >= $0 + Joint.newGround } ?? true
  }

  /// Requests the rest of the file over the job's own connection. After a part that contradicted its own head, the
  /// answer must prove where its bytes belong; after the second such part, the whole file is requested.
  private func askAlone() {
    if let reason = record.wrongPart, file.wrongParts > 0 { return restart(.badAnswer(reason)) }
    var task = task
    task.checkpoint = recorded
    task.askedAlone = outside.written.count
    task.maxConnections = 1
    if record.wrongPart != nil { task.wrongParts = 1 }
    // The mode `never` is only about bytes of earlier attempts: an attempt may continue its own bytes.
    if task.resume == .never { task.resume = .safe }
    // Reserved blocks are removed, and bytes that were given up.
    try? part.truncate(to: outside.written.end)
    goOn(
      with: task,
      reduction.isPending ? Transfer.reduceRecord(to: task.checkpoint, in: part, observer, after: reduction.last) : nil)
  }

  private func goOn(with task: TransferPlan, _ takingBack: Task<Result<Void, Failure>, Never>?) {
    var context = context
    context.plan = task
    context.plan.part = part
    context.plan.recordHasBytes = true
    context.plan.condition = nil
    let id = outside.startPart { [box = Box(context)] in FileTransfer(box.worker, takingBack: takingBack) }
    outside.didStart(id)
  }
}

/// Carries values of the loop's thread through the inbox of another task, and back.
private struct Box<Value>: @unchecked Sendable {
  let worker: Value
  init(_ worker: Value) { self.worker = worker }
}
