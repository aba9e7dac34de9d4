// Takes bytes of a job from seeds: reads its control file, looks for the file's blocks in the seeds, and writes those that
// are missing to the part file. Nothing is recorded before the bytes are on the disk. If the process dies before that, the
// job has the bytes that it had before.

internal import DrayDocuments
internal import DrayEngine
internal import Threads

final class SeedRun: Sendable {
  /// A control file of at least this many bytes is long enough to measure the rate of its connection.
  private static let measurable = 64 << 10

  /// A control file, and the facts about it.
  private struct FoundControl {
    var control: ZsyncControl
    /// Its length, if it came from the file's server and shows how fast that is.
    var length: Int?
    /// Its `Last-Modified` in seconds since 1970.
    var modified: Int64?
    /// The URL that answered; `nil` for a file of this machine.
    var url: RequestURL?
  }

  private let seeding: Seeding
  private let isProved: Bool
  private let tools: ReuseTools<SeedRefusal>
  private var plan: TransferPlan { tools.plan }

  /// - Parameters:
  ///   - isProved: Whether a digest that is not from the control file will prove the result.
  ///   - cancelFlag: Whether the attempt is cancelled; in that case nothing is taken.
  init(
    _ seeding: Seeding, isProved: Bool, _ plan: TransferPlan, _ engine: Engine, _ signal: RunSignal,
    _ cancelFlag: EndFlag
  ) {
    (self.seeding, self.isProved) = (seeding, isProved)
    tools = ReuseTools("dray.seed", plan, engine, signal, cancelFlag)
  }

  /// Returns whether the server's file is the version of the existing target `name`.
  func isUpToDate(_ condition: CacheCondition, _ name: String) async throws(SeedError) -> Bool {
    let target = try await tools.blocking { [plan] () throws(SeedError) in
      try SeedError.calling { () throws(Failure) in try plan.destination.openTarget(name) }
    }
    guard let target else { return false }
    do throws(SeedError) {
      _ = try await tools.compare(target, [0..<1], digestIsKnown: true, unless: condition)
      return false
    } catch {
      switch error {
      case .unchanged: return true
      // The next question has the same answer, and that one is reported.
      case .refused, .postponed: return false
      case .failed, .cancelled: throw error
      }
    }
  }

  /// Takes the bytes. After a failure, removes the part file unless the job had bytes before.
  func run() async throws(SeedError) -> SeededBytes {
    guard plan.resume != .never else { throw .refused(.unwanted) }
    let began = SteadyClock.now()
    let control = try await control()
    let rate = control.length.map { Double($0) / max(0.000_001, SteadyClock.now() - began) }
    let part = try await tools.blocking { [plan] () throws(SeedError) in
      try SeedError.calling { () throws(Failure) -> any PartStorage in
        if let part = plan.part { return part }
        return try plan.destination.createPart(plan.partName)
      }
    }
    do throws(SeedError) {
      return try await take(control, part, rate)
    } catch {
      // No checkpoint covers these bytes, so they may be removed.
      if plan.part == nil { await tools.discardPart() }
      throw error
    }
  }

  /// - Parameter rate: The bytes per second at which the control file came; `nil` if unknown.
  private func take(
    _ found: FoundControl, _ part: any PartStorage, _ rate: Double?
  ) async throws(SeedError) -> SeededBytes {
    let control = found.control
    // Before a seed is read, a request for one byte finds out the server's version.
    let asked = SteadyClock.now()
    var known = try await tools.compare(part, [0..<1], digestIsKnown: true)
    // The request took one round trip if it reused the control file's connection, so only then is its time used.
    let gap = SeedRule.gap(roundTrip: rate == nil ? nil : SteadyClock.now() - asked, rate: rate)
    guard known.size == control.table.size else { throw .refused(.otherSize(control.table.size, known.size)) }
    let samples = try samples(found, known)
    let had = plan.checkpoint
    guard had.segments.isEmpty || had.validators.agree(with: known.validators) && had.size ?? known.size == known.size
    else { throw .refused(.otherVersion) }
    let seeded = try await tools.blocking { [self, size = known.size] () throws(SeedError) in
      let found = try SeedReading(control.table, part, having: had.segments).read(seeding.files) { tools.isCancelled }
      var seeded = SeedRule.kept(found, gap: gap, of: size)
      for segment in had.segments.segments { seeded.remove(segment) }
      return seeded
    }
    guard !seeded.isEmpty else { throw .refused(.nothing) }
    if samples > 0 {
      known = try await tools.compare(
        part, ControlVersion.samples(of: seeded, samples), known: known, digestIsKnown: true)
      guard known.differing.isEmpty else { throw .refused(.differs) }
    }
    let (kept, sums) = try await durable(seeded, in: part)
    return SeededBytes(
      checkpoint: Checkpoint(
        segments: kept, sums: sums, size: known.size, validators: known.validators, offered: known.offered,
        provenance: Provenance(known.response.head, from: known.response.finalURL)),
      response: known.response,
      outcome: Seeding.Outcome(
        reused: seeded.count, size: known.size, segments: seeded, digest: control.digest, validators: known.validators))
  }

  /// Returns the number of places at which the bytes from seeds must be compared with the server's file.
  /// - Throws: The refusal, if the control file is of another version.
  private func samples(_ found: FoundControl, _ known: SampleReport) throws(SeedError) -> Int {
    let times = ControlVersion(
      described: found.control.modified, control: found.modified,
      isBeside: found.url?.origin == known.response.finalURL.origin, file: known.validators.modified)
    switch times.verdict(mode: plan.resume, isProved: isProved || known.offered.identifies) {
    case .refused(let refusal): throw .refused(refusal)
    case .compared(let count): return count
    }
  }

  /// Brings the bytes from seeds to the disk.
  /// - Returns: All bytes of the job, and their checksums.
  private func durable(
    _ seeded: SegmentSet, in part: any PartStorage
  ) async throws(SeedError) -> (SegmentSet, BlockSums) {
    var kept = seeded
    for segment in plan.checkpoint.segments.segments { kept.insert(segment) }
    return try await tools.blocking { [self, kept] () throws(SeedError) in
      let sums = try SeedError.calling { () throws(Failure) -> BlockSums? in
        if plan.part == nil { try part.truncate(to: kept.end) }
        let sums = try part.sums(of: kept, knowing: [], isCancelled: { tools.isCancelled })
        let durable = try part.makeDurable(kept)
        try part.destination.syncNames()
        return sums?.restricted(to: durable)
      }
      guard let sums else { throw .cancelled }
      return (kept, sums)
    }
  }

  // MARK: Questions

  private func control() async throws(SeedError) -> FoundControl {
    let own = plan.request.url
    let place = seeding.control ?? Seeding.place(beside: own)
    let bytes: [UInt8]
    var (base, modified): (RequestURL?, Int64?)
    if place.hasPrefix("/") {
      bytes = try await tools.blocking { () throws(SeedError) in
        guard let file = SeedReading.open(place),
          let bytes = try? file.bytes(Int(clamping: min(file.identity().size, Int64(ZsyncControl.longest) + 1)))
        else { throw .refused(.noControl(TextSafety.escaped(place))) }
        return bytes
      }
    } else {
      guard let url = try? RequestURL.parse(place).url else { throw .refused(.noControl(TextSafety.escaped(place))) }
      let answer = try await fetched(url)
      (bytes, base, modified) = (answer.bytes, answer.finalURL, answer.head.validators.modified)
    }
    do throws(DocumentError) {
      guard bytes.count <= ZsyncControl.longest else {
        throw DocumentError("a control file of zsync", "it is too long")
      }
      let shows = base?.origin == own.origin && bytes.count >= SeedRun.measurable
      return FoundControl(
        control: try ZsyncControl.parse(bytes, base: base), length: shows ? bytes.count : nil, modified: modified,
        url: base)
    } catch {
      throw .refused(.badControl("\(error)"))
    }
  }

  /// The bound of a control file: what its own text says, so that it needs no more memory than is due to the file.
  private func bound(of url: RequestURL) -> DocumentBound {
    let size = plan.checkpoint.size ?? plan.expected.size
    return DocumentBound(longest: ZsyncControl.longest, after: ZsyncControl.longestText) { (bytes) throws(Failure) in
      do throws(DocumentError) { return try ZsyncControl.length(beginning: bytes, of: size) } catch {
        throw Failure(.protocolViolation, url.description, "\(error)")
      }
    }
  }

  private func fetched(_ url: RequestURL) async throws(SeedError) -> DocumentAnswer {
    var request = plan.request.moved(to: url)
    (request.method, request.body, request.cache) = ("GET", nil, nil)
    do throws(Failure) {
      return try await tools.engine.fetchDocument(
        request, accept: "application/x-zsync, */*;q=0.5", cookies: plan.cookies, bound: bound(of: url)
      ) { [self] in tools.isCancelled }
    } catch {
      if tools.isCancelled { throw .cancelled }
      // The control file is optional, so a problem with its server must not use up a retry of the job.
      throw error.httpStatus == 404 || error.httpStatus == 410
        ? .refused(.noControl(url.description)) : .refused(.badControl(error.reason))
    }
  }
}

extension Seeding {
  /// Returns the address of the control file of a URL's file, for messages.
  func shownPlace(beside url: RequestURL) -> String {
    let place = control ?? Seeding.place(beside: url)
    return place.hasPrefix("/") ? TextSafety.escaped(place) : URLRedaction.redacted(place)
  }

  /// Returns the URL of the control file that lies beside a file.
  static func place(beside url: RequestURL) -> String {
    // A path that begins with two slashes would be read as another host.
    let name = url.path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard case .url(let beside) = RequestURL.resolve(location: "./\(name)\(suffix)", against: url) else {
      return url.string + suffix
    }
    return beside.string
  }
}
