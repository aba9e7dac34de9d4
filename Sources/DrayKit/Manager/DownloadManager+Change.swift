// Changes jobs when a user asks for it: either all jobs of a call or none. If the directory of a job changes, its part
// file is moved in several steps. After each step, the job store and the disk agree, even if the process is killed (P1,
// P3, P4, P5).

internal import DrayEngine
internal import DrayStore
internal import Posix
internal import Threads

internal import struct FoundationEssentials.UUID

/// The outcome for a job to change.
package struct ChangeOutcome: Sendable, Equatable {
  /// The outcome for the part file.
  package enum Part: Sendable, Equatable {
    /// There is no part file, or it stayed where it was.
    case stayed
    /// The part file was moved.
    case moved
    /// The user had already moved the part file, which was accepted.
    case adopted
  }

  /// The job.
  package var id: JobID
  /// Whether the job changed.
  package var isChanged: Bool
  /// The outcome for the job's part file.
  package var part: Part
}

extension DownloadManager {
  /// Replaces the specifications of jobs: either of all jobs or of none. The change is on the disk when this returns.
  ///
  /// If a job's directory changes, its part file is moved to the new directory. If there is already a part file with
  /// the job's name and label, the user has moved it, and it is accepted.
  /// - Parameter isForClient: Whether the change comes from a client of the service. If it does not, the job belongs to
  ///   the user from then on.
  /// - Throws: Kind `other` for a job that cannot be changed; kind `file` for a target that is taken, or a part file
  ///   that cannot be moved. If it throws, no job was changed.
  package func change(_ changes: [JobRevision], isForClient: Bool = false) async throws(Failure) -> [ChangeOutcome] {
    let changes = isForClient ? changes : changes.map(\.ofUser)
    let outcomes = try await executor.run { () async throws(Failure) in try await self.changeBlocking(changes) }
    // Commands that were given while the files were being moved are handled now.
    try await refresh()
    return outcomes
  }

  private func changeBlocking(_ changes: [JobRevision]) async throws(Failure) -> [ChangeOutcome] {
    for change in changes {
      if let objection = ChangeRule.objection(to: change) { throw objection }
      if let refusal = SchemePolicy.objections(to: change.specification.request).refusal {
        throw Failure(.usage, change.specification.request.url.description, refusal, advice: "omit it")
      }
    }
    let wanted = changes.filter { !$0.isEmpty }
    for place in Set(wanted.filter(\.movesDirectory).map(\.specification.place)) {
      try await shares?.admit(place, isChosen: true)
    }
    var moves: [JobID: MovedPart] = [:]
    var parts: [JobID: ChangeOutcome.Part] = [:]
    for change in wanted {
      switch try placement(change) {
      case .stay: break
      case .adopt: parts[change.before.id] = .adopted
      case .move(let part): (parts[change.before.id], moves[change.before.id]) = (.moved, part)
      }
    }
    for change in wanted where change.movesDirectory { try removeLeftovers(of: change.before) }
    if moves.isEmpty {
      try await store.change(wanted, runner: nil, now: WallClock.now())
    } else {
      try await store.withLease { lease async throws(Failure) in try await move(wanted, moves, lease.runner) }
    }
    return changes.map { change in
      ChangeOutcome(
        id: change.before.id, isChanged: !change.isEmpty, part: parts[change.before.id] ?? .stayed)
    }
  }

  /// Moves part files, and then changes all jobs in one step. Until that step, the moves can be reverted: by this
  /// process, or by recovery if this process dies and its lease ends (``Recovery``).
  private func move(
    _ changes: [JobRevision], _ moves: [JobID: MovedPart], _ runner: UUID
  ) async throws(Failure) {
    let moved = changes.filter { moves[$0.before.id] != nil }
    let ids = moved.map(\.before.id)
    try await store.beginMove(moved, runner: runner)
    do throws(Failure) {
      for change in moved {
        do throws(SystemError) {
          try moves[change.before.id]?.bring(change.before.checkpoint.segments, store: store.label)
        } catch {
          throw error.failure(PathText.join(change.specification.place.partPlace.path, change.before.partFileName))
        }
      }
      try await store.change(changes, runner: runner, now: WallClock.now())
    } catch {
      var areBack = true
      for id in ids {
        // If a file cannot be moved back now, recovery moves it back once the lease is released.
        do throws(SystemError) { try moves[id]?.takeBack() } catch { areBack = false }
      }
      if areBack { try? await store.endMove(ids, runner: runner) }
      throw error
    }
    // From here on, the change is valid. Copies that cannot be removed now are removed by recovery.
    var ended: [JobID] = []
    for id in ids where (try? moves[id]?.removeOld()) != nil { ended.append(id) }
    try await store.endMove(ended, runner: runner)
  }

  private enum Placement {
    case stay, adopt
    case move(MovedPart)
  }

  /// Decides where the part file goes, and throws a failure if the target is not possible.
  private func placement(_ change: JobRevision) throws(Failure) -> Placement {
    let (before, after) = (change.before, change.specification)
    guard change.movesDirectory || change.renames || before.specification.options.onConflict != after.options.onConflict
    else { return .stay }
    let destination = try destinations.check(after.place)
    if let name = change.fileName, let destination,
      case .refuse(let failure) = try Conflict.look(after, at: name, in: destination, addedAt: before.addedAt)
    {
      throw failure
    }
    guard change.movesDirectory, before.state != .failed else { return .stay }
    // Only parts on the local disk can be moved.
    let source = try? destinations.find(before.specification.place)
    if let old = source, !(old is LocalDestination),
      old.traits.keepsPartFiles ? try old.exists(before.partFileName) : !before.checkpoint.segments.isEmpty
    {
      throw Failure(
        .file, before.partFile, "received bytes cannot be moved from there", advice: "let the job finish first",
        recovery: .keep)
    }
    let isLocal = destination.map { $0 is LocalDestination } ?? true
    let there = isLocal ? (try? TargetDirectory(after.place.partPlace)) : nil
    let here = try? TargetDirectory(before.specification.place.partPlace)
    var facts = PartPlacement.Facts()
    let name = before.partFileName
    if let here, let there { facts.isSameDirectory = here.isSame(as: there) }
    facts.isOld = here?.identity(of: name) != nil
    if !facts.isOld { try DownloadManager.refuseStaged(before) }
    let path = PathText.join(after.place.partPlace.path, name)
    do throws(SystemError) {
      if let there, let stray = try StrayPart(name, in: there) {
        facts.new = stray.facts(store: store.label, now: WallClock.now())
        facts.isOfAnotherJob = stray.isOfAnotherJob
      }
    } catch {
      throw error.failure(path)
    }
    switch PartPlacement.decide(facts, path: path, other: before.specification.place.partPlace.path) {
    case .nothing: return .stay
    case .adopt: return .adopt
    case .refuse(let reason, let advice): throw Failure(.file, path, reason, advice: advice, recovery: .keep)
    case .move:
      guard let here else { return .stay }
      do throws(SystemError) {
        return .move(MovedPart(name, from: here, to: try TargetDirectory(after.place.partPlace, create: true)))
      } catch {
        throw error.failure(after.place.partPlace.path)
      }
    }
  }

  /// Removes an incomplete copy that a killed process left beside the target, before the job forgets that directory
  /// (P5). The valid part file is the one in the directory for unfinished files. A copy that is in use is locked, and
  /// stays where it is.
  private func removeLeftovers(of job: Job) throws(Failure) {
    let (place, name) = (job.specification.place, job.partFileName)
    guard place.parts != nil else { return }
    var names = [PartName.copy(of: name)]
    if let target = try? TargetDirectory(place.alone), let parts = try? TargetDirectory(place.partPlace),
      !parts.isSame(as: target), parts.identity(of: name) != nil
    {
      names.append(name)
    }
    if let failure = destinations.discardParts(names, at: place.alone).values.first { throw failure }
  }

  /// Refuses the change if the complete part file is already beside its target, because it is not moved from there.
  private static func refuseStaged(_ job: Job) throws(Failure) {
    let place = job.specification.place
    guard place.parts != nil, let target = try? TargetDirectory(place.alone), target.exists(job.partFileName) else {
      return
    }
    throw Failure(
      .other, "job \(job.id)", "its file is being given its name", advice: "\(.run) finishes that first",
      recovery: .keep)
  }
}
