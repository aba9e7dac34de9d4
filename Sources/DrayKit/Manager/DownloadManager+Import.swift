// Jobs that another store had, with what it had received of them.

internal import DrayEngine
public import DrayStore
internal import Threads

public import struct FoundationEssentials.UUID

/// A job that is to be imported.
public struct JobToImport: Sendable {
  /// What it is.
  public var specification: JobSpecification
  /// Which jobs of the import it waits for, by their places.
  public var waitsFor: [Int] = []
  /// Whether it waits for its user.
  public var isPaused = false
  /// The name of its part file, and what was durable of that, where anything was.
  public var part: (uuid: UUID, checkpoint: Checkpoint)?
  /// The name of its target, where that was fixed.
  public var fileName: String?

  /// Makes one that begins from nothing.
  public init(_ specification: JobSpecification) { self.specification = specification }
}

/// What became of a job that was imported.
public struct ImportOutcome: Sendable, Equatable {
  /// The job.
  public var job: AddedJob
  /// Bytes that it goes on from.
  public var kept: Int64
  /// Why it begins from nothing, though another store had received something of it.
  public var lost: String?
}

extension DownloadManager {
  /// Queues jobs of another store, all or none, in their order.
  ///
  /// Where the part file of one is there, the job goes on with it if the other store is gone, else with a copy: what others may
  /// want is left (P17). A copy is compared with the checksums of its blocks.
  /// - Throws: as ``admit(_:marks:entering:)``; nothing was queued then.
  public func importJobs(_ jobs: [JobToImport]) async throws(Failure) -> [ImportOutcome] {
    try await desk.run { () async throws(Failure) in try await self.importOnDesk(jobs) }
  }

  private func importOnDesk(_ jobs: [JobToImport]) async throws(Failure) -> [ImportOutcome] {
    var imported: [ImportedJob] = []
    var sources: [(any StoredBytes)?] = []
    var reasons: [String?] = []
    for job in jobs {
      let specification = job.specification
      if let refusal = SchemePolicy.objections(to: specification.request).refusal {
        throw Failure(.usage, specification.request.url.description, refusal, advice: "omit it")
      }
      let destination = try destinations.check(specification.place)
      var one = ImportedJob(specification, waitsFor: job.waitsFor, isPaused: job.isPaused)
      if let comparison = try await comparison(specification, in: destination) {
        one.specification = comparison.specification
      }
      if let name = specification.output ?? job.fileName, let destination,
        case .refuse(let failure) = Conflict.look(
          one.specification, at: name, in: destination, addedAt: WallClock.now())
      {
        throw failure
      }
      var (source, reason): ((any StoredBytes)?, String?) = (nil, nil)
      if let part = job.part {
        let name = PartName.text(part.uuid.uuidString, stem: specification.options.partStem)
        switch try await adoption(part, named: name, in: destination) {
        case .take: (one.checkpoint, one.uuid, one.fileName) = (part.checkpoint, part.uuid, job.fileName)
        case .copy:
          source = try? destination?.openTarget(name)
          if let source, source.lock() {
            (one.checkpoint, one.isHeld, one.fileName) = (part.checkpoint, true, job.fileName)
          } else {
            (source, reason) = (nil, "another process is using its part file")
          }
        case .leave(let why): reason = why
        }
      }
      imported.append(one)
      sources.append(source)
      reasons.append(reason)
    }
    guard sources.contains(where: { $0 != nil }) else { return try await restore(imported, sources, reasons, nil) }
    return try await store.withLease { lease async throws(Failure) in
      try await restore(imported, sources, reasons, lease.runner)
    }
  }

  /// Adds jobs, and makes their part files.
  /// - Parameters:
  ///   - sources: the part files to copy.
  ///   - reasons: why nothing of a job is kept.
  ///   - runner: who holds the jobs while their part files are copied.
  private func restore(
    _ imported: [ImportedJob], _ sources: [(any StoredBytes)?], _ reasons: [String?], _ runner: UUID?
  ) async throws(Failure) -> [ImportOutcome] {
    let added = try await store.restore(imported, runner: runner, now: WallClock.now())
    var outcomes: [ImportOutcome] = []
    for (index, job) in added.enumerated() {
      var outcome = ImportOutcome(job: job, kept: imported[index].checkpoint?.segments.count ?? 0, lost: reasons[index])
      if job.existing {
        (outcome.kept, outcome.lost) = (0, nil)
      } else if let source = sources[index], let runner, let checkpoint = imported[index].checkpoint {
        outcome.kept = try await copy(source, checkpoint, of: job, runner)
        if outcome.kept == 0 { outcome.lost = "its part file could not be copied" }
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  private func adoption(
    _ part: (uuid: UUID, checkpoint: Checkpoint), named name: String, in destination: (any Destination)?
  ) async throws(Failure) -> PartAdoption {
    // Part files are taken over on the local disk only.
    guard let directory = (destination as? LocalDestination)?.directory else {
      return PartAdoption.decide(nil, isOfAnotherJob: false, hasSums: false)
    }
    // A job of this store that has it is not to lose it.
    guard try await store.job(uuid: part.uuid) == nil else { return .leave("a job of this store has its part file") }
    guard let stray = try? StrayPart(name, in: directory) else {
      return PartAdoption.decide(nil, isOfAnotherJob: false, hasSums: false)
    }
    return PartAdoption.decide(
      stray.facts(store: home.path, now: WallClock.now()), isOfAnotherJob: stray.isOfAnotherJob,
      hasSums: !part.checkpoint.sums.isEmpty)
  }

  /// Makes the part file of a job that is held, and gives the job back; what is not as it was summed is not claimed.
  /// - Returns: how many bytes it goes on from.
  private func copy(
    _ source: any StoredBytes, _ checkpoint: Checkpoint, of added: AddedJob, _ runner: UUID
  ) async throws(Failure) -> Int64 {
    defer { withExtendedLifetime(source) {} }
    guard let job = try await store.job(added.id) else { return 0 }
    var claim = checkpoint
    do throws(Failure) {
      let destination = try destinations.existing(job.specification.place)
      let part = try destination.createPart(job.partFileName)
      _ = try part.take(checkpoint.segments, from: source) { false }
      for bad in BlockComparison.differing(claim.sums.extents, in: part) ?? claim.sums.extents {
        claim.sums.remove(bad.segment)
      }
      claim.segments = try part.makeDurable(claim.sums.covered)
      try destination.syncNames()
    } catch {
      Recovery.removePart(of: job, destinations)
      claim.segments = SegmentSet()
    }
    if !claim.segments.isEmpty {
      _ = try await store.checkpoint([(job.id, claim)], since: [:], expecting: [], runner: runner)
    }
    try await store.endMove([job.id], runner: runner)
    return claim.segments.count
  }
}
