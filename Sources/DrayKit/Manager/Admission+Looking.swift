// Examines downloads one by one, before any of them is queued.

internal import DrayEngine
internal import DrayStore
internal import Threads

/// What one call of ``DownloadManager/admit(_:marks:entering:)`` has found out. The keys are positions in that call.
struct AdmissionRound {
  let entrance: Entrance
  /// The URLs that already have jobs.
  var known: Set<String> = []
  /// Whether there are complete jobs.
  var mayBeDone = false
  /// Whether there are unfinished jobs.
  var mayBeOpen = false
  /// Whether there are failed jobs.
  var mayHaveFailed = false
  /// The downloads that need no new job.
  var early: [Int: Admission] = [:]
  var again: [JobID: JobSpecification] = [:]
  /// The specifications, with the known facts about their targets.
  var compared: [Int: JobSpecification] = [:]
  /// The complete jobs that will compare their targets with the server's files again.
  var rechecks: [(id: JobID, specification: JobSpecification)] = []
  /// The unfinished jobs whose sources give other links now. They move only when the whole call is accepted (P3).
  var links: [JobID: JobSpecification] = [:]
  /// The downloads whose jobs keep their own requests: jobs of the user that a client names, and jobs for the same file
  /// of another name.
  var untouched: Set<Int> = []
  /// The complete jobs that were checked.
  var seen: Set<JobID> = []
  /// The arrangements that this call adds to files of other requests.
  var arranging = ArrangementRound()
  var haveBodies = false
  /// Whether no requests are sent for keys in buckets: a long list is accepted first, and each attempt sends its own
  /// request.
  let asksNoKeys: Bool
  /// The position up to which requests for keys in buckets were sent.
  var askedUpTo = 0
  /// The targets that downloads of this call name, with the URLs of these downloads. Only downloads that keep an
  /// existing target are included.
  private var targets: [String: RequestURL] = [:]
  private(set) var places: [DirectoryPlace: (any Destination)?] = [:]

  /// The number of keys for which requests are sent at the same time.
  static let wave = 16

  init(_ entrance: Entrance, count: Int) {
    (self.entrance, asksNoKeys) = (entrance, count > AdmissionRound.wave)
  }

  /// Returns the destination of a place; `nil` if it does not exist.
  mutating func destination(_ place: DirectoryPlace, of all: any Destinations) throws(Failure) -> (any Destination)? {
    if let known = places[place] { return known }
    let destination = try all.check(place)
    places[place] = .some(destination)
    return destination
  }

  /// Returns whether an earlier download of this call has this target.
  mutating func isRepeatedTarget(_ path: String, of request: TransferRequest) -> Bool {
    let first = targets[path] ?? request.url
    targets[path] = first
    return first != request.url
  }

  /// Returns the downloads that need a new job, with the known facts about their targets.
  func rest(of specifications: AnyCollection<JobSpecification>) -> some Sequence<JobSpecification> {
    specifications.enumerated().lazy.filter { isQueued($0.offset) }.map { compared[$0.offset] ?? $0.element }
  }

  /// Whether a download is queued as a job.
  func isQueued(_ index: Int) -> Bool { early[index] == nil && arranging.twins[index] == nil }

  /// Whether the caller expects a new job, because it says so or because it has chosen the job's UUID, state or place.
  func wantsNew(_ index: Int) -> Bool {
    entrance.fetchesAgain || entrance.place != nil || entrance.uuids[index] != nil || entrance.paused.contains(index)
  }

  mutating func fetchAgain(_ job: Job, _ index: Int, with specification: JobSpecification) {
    let (merged, change) = AskedAgainRule.merged(specification, into: job)
    again[job.id] = merged
    var added = AddedJob(id: job.id, uuid: job.uuid, existing: true)
    if !change.isSilent { added.repetition = change }
    early[index] = .job(added)
  }
}

extension DownloadManager {
  /// Whether a download need not be compared with jobs and files, because no job has its URL, and the server names the
  /// file. In a long list, this is true for nearly all downloads.
  func isPlainlyNew(
    _ specification: JobSpecification, _ round: inout AdmissionRound
  ) throws(Failure) -> Bool {
    guard specification.output == nil, specification.options.adopts == nil, specification.options.lateRules == nil,
      specification.request.body == nil, specification.request.cache == nil,
      round.known.isEmpty || !round.known.contains(specification.request.url.string),
      SchemePolicy.objections(to: specification.request).refusal == nil
    else { return false }
    _ = try round.destination(specification.place, of: destinations)
    return true
  }

  /// Requests all keys in buckets that the next downloads name at the same time, because each request takes a round
  /// trip.
  private func ask(_ next: some Sequence<JobSpecification>, _ round: inout AdmissionRound) async throws(Failure) {
    var keys: [(any Destination, String)] = []
    for one in next where one.place.traits.asksServer {
      let isAsked =
        !round.asksNoKeys || one.request.cache?.ifChanged != nil || round.known.contains(one.request.url.string)
      guard let name = one.output, isAsked,
        let destination = try round.destination(one.place, of: destinations)
      else { continue }
      keys.append((destination, name))
    }
    guard keys.count > 1 else { return }
    await withTaskGroup(of: Void.self) { group in
      // If this fails, it will fail again where the answer is needed.
      for (destination, name) in keys { group.addTask { try? await destination.prefetch(name) } }
    }
  }

  func look(
    at specification: JobSpecification, _ index: Int, of all: some Collection<JobSpecification>,
    _ round: inout AdmissionRound
  ) async throws(Failure) {
    if index >= round.askedUpTo, specification.place.traits.asksServer {
      round.askedUpTo = index + AdmissionRound.wave
      try await ask(all.dropFirst(index).prefix(AdmissionRound.wave), &round)
    }
    try await look(at: specification, index, &round)
  }

  private func look(
    at asked: JobSpecification, _ index: Int, _ round: inout AdmissionRound
  ) async throws(Failure) {
    var specification = asked
    if specification.request.body != nil { round.haveBodies = true }
    if let refusal = SchemePolicy.objections(to: specification.request).refusal {
      throw Failure(.usage, specification.request.url.description, refusal, advice: "omit it")
    }
    try await checkAdoption(specification)
    // A client can change only its own jobs.
    if !round.entrance.isForClient { try await takeTargetProfile(specification) }
    let isKnown = round.known.contains(specification.request.url.string)
    if isKnown, round.entrance.isForClient, specification.request.isSafe,
      let job = try await store.find(specification.key),
      !job.state.isFinished, !round.entrance.mayTouch(job)
    {
      round.early[index] = .job(AddedJob(id: job.id, uuid: job.uuid, existing: true))
      round.untouched.insert(index)
      try round.arranging.ask(specification, of: job, mayReplace: false)
      return
    }
    let mayHaveFailed = isKnown && round.mayHaveFailed
    let destination = try round.destination(specification.place, of: destinations)
    if asked.options.source != nil {
      guard let again = try await ofSource(asked, index, in: destination, &round) else { return }
      specification = again
    }
    if let comparison = try await comparison(specification, in: destination) {
      return try await take(comparison, index, in: destination, mayHaveFailed: mayHaveFailed, &round)
    }
    if isKnown, round.mayBeDone, specification.options.replaces == asked.options.replaces,
      let done = try await completed(specification),
      try await take(done, specification, index, in: destination, &round)
    {
      return
    }
    if let output = specification.output, let destination, !destination.traits.asksServer || !round.asksNoKeys,
      isKnownTaken(output, in: destination),
      try await !isHalfPublished(specification, at: output, in: destination)
    {
      let look = try await takingOver(specification)
      switch try Conflict.look(look, at: output, in: destination, addedAt: WallClock.now()) {
      case .none, .upToDate, .replaces: break
      case .skip: round.early[index] = .skipped(path: PathText.join(specification.directory, output))
      case .refuse where round.entrance.compared.contains(index): break
      case .refuse(let failure): throw failure
      }
    }
    if let output = specification.output, specification.options.onConflict == .skip, round.early[index] == nil,
      try await isOfAnother(output, specification, &round)
    {
      let path = PathText.join(specification.directory, output)
      return round.early[index] = .skipped(path: path, isOfJob: true)
    }
    if mayHaveFailed, round.early[index] == nil,
      let before = try await failed(specification, wantsNew: round.wantsNew(index), round.entrance)
    {
      round.fetchAgain(before, index, with: specification)
    }
  }

  /// Whether a name is the target of another unfinished job, or of an earlier download of this call.
  private func isOfAnother(
    _ name: String, _ specification: JobSpecification, _ round: inout AdmissionRound
  ) async throws(Failure) -> Bool {
    let path = specification.targetServer + PathText.join(specification.directory, name)
    let isRepeated = round.isRepeatedTarget(path, of: specification.request)
    guard let owner = try await store.targetOwner(name, of: specification, besides: 0) else { return isRepeated }
    return try await unfinished(specification)?.id != owner.job
  }

  /// If the destination does not answer, the result is `false`, because the attempt checks this again.
  private func isKnownTaken(_ name: String, in destination: any Destination) -> Bool {
    (try? destination.exists(name)) ?? false
  }

  private func take(
    _ comparison: Comparison, _ index: Int, in destination: (any Destination)?, mayHaveFailed: Bool,
    _ round: inout AdmissionRound
  ) async throws(Failure) {
    let changed = comparison.specification
    if let name = changed.request.cache?.ifChanged?.name, let destination,
      case .refuse(let failure) = try Conflict.look(changed, at: name, in: destination, addedAt: WallClock.now())
    {
      throw failure
    }
    round.compared[index] = changed
    if mayHaveFailed, let before = try await failed(changed, wantsNew: round.wantsNew(index), round.entrance) {
      round.fetchAgain(before, index, with: changed)
    } else if let job = comparison.job, round.entrance.mayTouch(job) {
      var added = AddedJob(id: job.id, uuid: job.uuid, existing: true)
      let (merged, change) = AskedAgainRule.merged(changed, into: job)
      if !change.isSilent { added.repetition = change }
      round.early[index] = .job(added)
      round.rechecks.append((job.id, merged))
      round.seen.insert(job.id)
    }
  }

  /// Handles a download whose job is complete.
  /// - Returns: Whether the decision about the download is complete.
  private func take(
    _ done: Job, _ specification: JobSpecification, _ index: Int, in destination: (any Destination)?,
    _ round: inout AdmissionRound
  ) async throws(Failure) -> Bool {
    round.seen.insert(done.id)
    guard !round.entrance.fetchesAgain else {
      guard round.entrance.continuing.contains(index),
        let again = try await unlessChanged(done, specification, in: destination)
      else { return false }
      round.compared[index] = again
      return true
    }
    if let admission = try await self.done(done, specification, in: destination) {
      round.early[index] = admission
      round.arranging.complete.append(specification)
      return true
    }
    guard round.entrance.mayTouch(done), let name = done.fileName, try !(destination?.exists(name) ?? false) else {
      return false
    }
    round.fetchAgain(done, index, with: specification)
    return true
  }
}
