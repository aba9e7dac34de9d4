// Imports jobs from another store, with their received bytes.

internal import DrayEngine
package import DrayStore
internal import Threads

package import struct FoundationEssentials.UUID

/// A job to import.
package struct JobToImport: Sendable {
  /// The specification of the job.
  package var specification: JobSpecification
  /// The positions, among the imported jobs, of those that this job waits for.
  package var waitsFor: [Int] = []
  /// Whether the job is paused.
  package var isPaused = false
  /// The UUID of the job's part file, and the valid bytes in that file; `nil` if there are none.
  package var part: (uuid: UUID, checkpoint: Checkpoint)?
  /// The name of the target; `nil` if it is not fixed.
  package var fileName: String?

  /// Creates a job without bytes.
  package init(_ specification: JobSpecification) { self.specification = specification }
}

/// The outcome for an imported job.
package struct ImportOutcome: Sendable, Equatable {
  /// The job.
  package var job: AddedJob
  /// The number of bytes from which the job continues.
  package var kept: Int64
  /// Why bytes that the other store had received were not kept.
  package var lost: String?
}

extension DownloadManager {
  /// Queues jobs of another store in their order: either all of them or none.
  ///
  /// If the part file of a job exists, the job continues with it if the other store is gone, and otherwise with a copy,
  /// because files that other programs may need are left alone (P17). A copy is compared with the checksums of the
  /// file's blocks.
  /// - Throws: The failures of ``admit(_:marks:entering:)``; no job was queued.
  package func importJobs(_ jobs: [JobToImport]) async throws(Failure) -> [ImportOutcome] {
    try await executor.run { () async throws(Failure) in
      try await self.refresh()
      return try await self.importBlocking(jobs)
    }
  }

  private func importBlocking(_ jobs: [JobToImport]) async throws(Failure) -> [ImportOutcome] {
    var imported: [ImportedJob] = []
    var sources: [(any StoredBytes)?] = []
    var reasons: [String?] = []
    // The buckets that do not answer. Their jobs are imported without a check, because each attempt checks again.
    var away: Set<String> = []
    for place in Set(jobs.map(\.specification.place)) { try await shares?.admit(place, isChosen: true) }
    for job in jobs {
      let specification = job.specification
      if let refusal = SchemePolicy.objections(to: specification.request).refusal {
        throw Failure(.usage, specification.request.url.description, refusal, advice: "omit it")
      }
      let destination = try destinations.check(specification.place)
      var one = ImportedJob(specification, waitsFor: job.waitsFor, isPaused: job.isPaused)
      let bucket = specification.place.object.map { "\(specification.place.server) \($0.bucket)" } ?? ""
      do throws(Failure) {
        if !away.contains(bucket) {
          one.specification = try await seen(specification, job.fileName, in: destination)
        }
      } catch {
        guard !bucket.isEmpty, ![.file, .usage, .store].contains(error.kind) else { throw error }
        away.insert(bucket)
      }
      var (source, reason): ((any StoredBytes)?, String?) = (nil, nil)
      if let part = job.part {
        let name = PartName.text(part.uuid.uuidString, stem: specification.options.partStem)
        switch try await adoption(part, named: name, in: destination) {
        case .take: (one.checkpoint, one.uuid, one.fileName) = (part.checkpoint, part.uuid, job.fileName)
        case .copy:
          let home =
            specification.place.parts == nil ? destination : (try? destinations.find(specification.place.partPlace))
          source = try? home?.openTarget(name)
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

  /// Adds the known facts about the target to the specification.
  /// - Throws: A failure if the target is taken, or cannot be looked up.
  private func seen(
    _ specification: JobSpecification, _ fileName: String?, in destination: (any Destination)?
  ) async throws(Failure) -> JobSpecification {
    let seen = try await comparison(specification, in: destination)?.specification ?? specification
    if let name = specification.output ?? fileName, let destination,
      case .refuse(let failure) = try Conflict.look(seen, at: name, in: destination, addedAt: WallClock.now())
    {
      throw failure
    }
    return seen
  }

  /// Adds jobs, and creates their part files.
  /// - Parameters:
  ///   - sources: The part files to copy.
  ///   - reasons: Why the bytes of some jobs are not kept.
  ///   - runner: The owner of the jobs while their part files are copied.
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
    // Only on the local disk can part files be taken over.
    guard let directory = (destination as? LocalDestination)?.partDirectory else {
      return PartAdoption.decide(nil, isOfAnotherJob: false, hasSums: false)
    }
    // The part file may belong to a job of this store.
    guard try await store.job(uuid: part.uuid) == nil else { return .leave("a job of this store has its part file") }
    guard let stray = try? StrayPart(name, in: directory) else {
      return PartAdoption.decide(nil, isOfAnotherJob: false, hasSums: false)
    }
    return PartAdoption.decide(
      stray.facts(store: store.label, now: WallClock.now()), isOfAnotherJob: stray.isOfAnotherJob,
      hasSums: !part.checkpoint.sums.isEmpty)
  }

  /// Creates the part file of a job that this process owns, and releases the job. Bytes that do not match their
  /// checksums are not recorded.
  /// - Returns: The number of bytes that the job continues with.
  private func copy(
    _ source: any StoredBytes, _ checkpoint: Checkpoint, of added: AddedJob, _ runner: UUID
  ) async throws(Failure) -> Int64 {
    defer { withExtendedLifetime(source) {} }
    guard let job = try await store.job(added.id) else { return 0 }
    var kept = checkpoint
    do throws(Failure) {
      let destination = try destinations.existing(job.specification.place)
      let part = try destination.createPart(job.partFileName)
      _ = try part.take(checkpoint.segments, from: source) { false }
      for bad in BlockComparison.differing(kept.sums.extents, in: part) ?? kept.sums.extents {
        kept.sums.remove(bad.segment)
      }
      kept.segments = try part.makeDurable(kept.sums.covered)
      try destination.syncNames()
    } catch {
      Recovery.removePart(of: job, destinations)
      kept.segments = SegmentSet()
    }
    if !kept.segments.isEmpty {
      _ = try await store.checkpoint([(job.id, kept)], since: [:], expecting: [], runner: runner)
    }
    try await store.endMove([job.id], runner: runner)
    return kept.segments.count
  }
}
