// Repairs a published file: its valid bytes become the part file of its job, which then continues like any other job.

internal import DrayEngine
internal import DrayStore
internal import Threads

internal import struct FoundationEssentials.UUID

/// The result of checking a file before its repair.
public enum RepairOutcome: Sendable, Equatable {
  /// The target is unchanged.
  case sound
  /// The job is queued; `missing` bytes will be fetched again.
  case queued(missing: Int64, size: Int64)
}

extension DownloadManager {
  /// Compares the target of a complete job with its known checksums, and queues the job if the target differs. Valid
  /// bytes are not fetched again. The target stays until the complete, checked file replaces it (P1).
  /// - Throws: A failure with advice if the job cannot be repaired.
  public func repair(_ id: JobID) async throws(Failure) -> RepairOutcome {
    try await executor.run { () async throws(Failure) in try await self.repairBlocking(id) }
  }

  private func repairBlocking(_ id: JobID) async throws(Failure) -> RepairOutcome {
    guard let job = try await store.job(id) else {
      throw Failure(.usage, "job \(id)", "no such job", advice: "\(.list) shows them")
    }
    guard job.state == .complete, let name = job.fileName, let size = job.published?.size else {
      throw Failure(
        .other, "job \(id)", "it \(job.state.predicate), and only a published file can be repaired",
        advice: job.state == .failed ? "\(.retry, id) starts it over" : "\(.run) continues it")
    }
    guard job.specification.request.isSafe else {
      throw Failure(
        .other, "job \(id)", "its request must not be repeated",
        advice: "\(.get) repeats it if you want that")
    }
    let path = PathText.join(job.specification.directory, name)
    let destination = try destinations.existing(job.specification.place)
    guard let look = try DamagedTarget(name, in: destination) else {
      throw Failure(.file, path, "it is missing, or not a file", advice: "\(.retry, id) fetches it again")
    }
    guard look.file.lock() else {
      throw Failure(.other, path, "another process is working on it", advice: "try again when that is done")
    }
    let digest = job.specification.options.digest ?? job.digest
    let sums = try await store.sums(of: id)
    let knowledge = RepairRule.knowledge(
      size: size, pieces: job.specification.options.pieces, sums: sums,
      digestIsKnown: digest != nil || job.specification.options.seeding != nil)
    guard let knowledge else {
      throw Failure(
        .other, path, "neither a digest nor checksums of its blocks are known, so it cannot be checked",
        advice: "remove it, and \(.retry, id) fetches it again")
    }
    // The file stays locked while it is open.
    defer { withExtendedLifetime(look) {} }
    guard case .keeps(let good) = try look.verdict(size, digest, knowledge) else { return .sound }
    try await store.withLease { lease async throws(Failure) in
      try await begin(job, look, good: good, sums: sums, digest: digest, lease.runner)
    }
    return .queued(missing: size - good.count, size: size)
  }

  /// Creates the job's part file, and queues the job. Until it is queued, this process owns the job like a runner: if
  /// the process dies, the part file still has an owner (P5), and no missing byte is recorded (P4).
  private func begin(
    _ job: Job, _ target: DamagedTarget, good: SegmentSet, sums: BlockSums, digest: DigestValue?, _ runner: UUID
  ) async throws(Failure) {
    var job = job
    var specification = job.specification
    specification.options.repairs = target.identity
    if specification.options.digest == nil {
      (specification.options.digest, specification.options.digestSource) = (digest, job.digestSource)
    }
    // The damaged file is a seed for its own blocks, which are smaller than those whose checksums dray keeps.
    if let seeding = specification.options.seeding {
      specification.options.seeding = Seeding(files: [target.file.path], control: seeding.control)
    }
    // The file is fetched in any case, so the server must not answer that nothing has changed.
    specification.request.cache?.ifChanged = nil
    var checkpoint = job.checkpoint
    (checkpoint.segments, checkpoint.sums) = (good, sums.restricted(to: good))
    let overtaken = Failure(
      .other, "job \(job.id)", "another process has just changed it", advice: "\(.show, job.id) shows it")
    guard try await store.beginRepair(job.id, specification, sums: sums, runner: runner) else { throw overtaken }
    do throws(Failure) {
      // The last owner may still be about to rename the present part file, so a new generation begins.
      if let next = job.part.next(.newGeneration(), sourceExists: false) {
        job.part = PartGeneration(next.number)
        guard try await store.recordPart(job.id, runner: runner, job.part) else { throw overtaken }
      }
      let part = try target.destination.createPart(job.partFileName)
      _ = try part.take(good, from: target.file) { false }
      checkpoint.segments = try part.makeDurable(good)
      try target.destination.syncNames()
    } catch {
      Recovery.removePart(of: job, destinations)
      try await store.abandonRepair(job, runner: runner)
      throw error
    }
    guard try await store.queueRepair(job.id, specification, checkpoint, runner: runner) else { throw overtaken }
  }
}

/// A published file, which is kept open.
private struct DamagedTarget {
  let destination: any Destination
  let file: any StoredBytes
  let identity: FileIdentity

  init?(_ name: String, in destination: any Destination) throws(Failure) {
    guard let file = try destination.openTarget(name) else { return nil }
    (self.destination, self.file, identity) = (destination, file, try file.identity())
  }

  func verdict(
    _ size: Int64, _ digest: DigestValue?, _ knowledge: RepairKnowledge
  ) throws(Failure) -> RepairVerdict {
    var agrees = digest.map { _ in false }
    if let digest, identity.size >= size {
      agrees = try FileHashing.digest(digest.algorithm, file, size) { false } == digest
    }
    if agrees == true {
      return RepairRule.verdict(size: size, present: identity.size, good: SegmentSet(), digestAgrees: true)
    }
    let good = knowledge.good(in: file, size: size)
    return RepairRule.verdict(size: size, present: identity.size, good: good, digestAgrees: agrees)
  }
}

extension RepairKnowledge {
  /// Returns the ranges with known checksums or hashes.
  func known(size: Int64) -> SegmentSet {
    switch self {
    case .pieces: SegmentSet(0..<size)
    case .sums(let sums): sums.covered
    case .nothing: SegmentSet()
    }
  }

  /// Returns the ranges whose checksums or hashes match, reading all ranges. It blocks the thread.
  func good(in file: any StoredBytes, size: Int64) -> SegmentSet {
    switch self {
    case .pieces(let pieces):
      return pieces.good(in: file, size: size) { false } ?? SegmentSet()
    case .sums(var left):
      for extent in BlockComparison.differing(left.extents, in: file) ?? left.extents { left.remove(extent.segment) }
      return left.covered
    case .nothing:
      return SegmentSet()
    }
  }
}
