// Decides, before a requested download is queued, what to do with it.

internal import DrayEngine
package import DrayStore
internal import FoundationEssentials
internal import Threads

/// The outcome for a requested download.
package enum Admission: Sendable, Equatable {
  /// The download has a job, new or existing.
  case job(AddedJob)
  /// The job was complete before, and its target is unchanged. The file meets what is demanded of it now; the remark, if
  /// any, says what could not be checked.
  case alreadyComplete(JobID, path: String, remark: String? = nil)
  /// The target has the wanted bytes, proved by the digest that is its name. No job is known to have fetched it.
  case present(path: String)
  /// The target exists, or will be created by an unfinished job, and the user wants to keep it. No job was added.
  case skipped(path: String, isOfJob: Bool = false)
}

extension DownloadManager {
  /// Queues those downloads that are not complete yet: either all of them or none. They are on the disk when this
  /// returns; if it fails, none was queued.
  /// - Parameters:
  ///   - specifications: The downloads.
  ///   - marks: Entries of feeds to remember together with their jobs.
  ///   - entrance: UUIDs, states and position of the new jobs. If a job already has one of the UUIDs, that job is
  ///     returned unchanged.
  /// - Throws: Kind `file` for a target that is taken or a directory that cannot be written; kind `store` if the job
  ///   store cannot be used.
  package func admit(
    _ specifications: some Collection<JobSpecification> & Sendable, marks: Set<FeedMark> = [],
    entering entrance: Entrance = Entrance()
  ) async throws(Failure) -> [Admission] {
    do throws(Failure) {
      return try await executor.run { () async throws(Failure) in
        try await self.admitJoining(AnyCollection(specifications), marks: marks, entering: entrance)
      }
    } catch {
      // In this case no job was queued, so none could continue when the object store can be reached again.
      throw error.kind == .network ? error.ofNoJob : error
    }
  }

  /// Admits the downloads once more if another process has queued one of their files since this call looked: if such a
  /// file is named by its digest, the request joins the job.
  private func admitJoining(
    _ specifications: AnyCollection<JobSpecification>, marks: Set<FeedMark>, entering entrance: Entrance
  ) async throws(Failure) -> [Admission] {
    var owners: Set<JobID> = []
    while true {
      do throws(Failure) { return try await admitBlocking(specifications, marks: marks, entering: entrance) } catch {
        // A job that was not joined the first time is not joined the next time either.
        guard owners.count < DownloadManager.mostAdmissions - 1, let owner = error.owner,
          owners.insert(owner.job).inserted,
          specifications.contains(where: { one in
            one.isNamedByDigest && PathText.join(one.directory, one.output ?? "") == error.subject
          })
        else { throw error }
      }
    }
  }

  /// The maximum number of times that a call is admitted. Each time, yet another process must have queued a file.
  private static let mostAdmissions = 10

  /// Gives a download the directory that a rule chose for it earlier, so that its job is found.
  private func followed(_ specification: JobSpecification) async throws(Failure) -> JobSpecification? {
    guard specification.options.lateRules != nil,
      let job = try await store.find(specification.key)
    else { return nil }
    let followed = specification.following(job)
    return followed == specification ? nil : followed
  }

  private func admitBlocking(
    _ specifications: AnyCollection<JobSpecification>, marks: Set<FeedMark>, entering entrance: Entrance
  ) async throws(Failure) -> [Admission] {
    // A mark proves that a directory is shared, even if the kind of its file system does not prove it.
    try await shares?.lookAtAll()
    // The job of a runner that was killed is interrupted, and takes new options; it is not being transferred.
    try await refresh()
    let present = try await store.present(among: Set(JobState.allCases))
    var round = AdmissionRound(entrance, count: specifications.count)
    (round.mayBeDone, round.mayHaveFailed) = (present.contains(.complete), present.contains(.failed))
    round.mayBeOpen = present.contains { !$0.isFinished }
    // The store knows only a few of the URLs in a list, so only these are looked up.
    round.compared = try await respelled(specifications)
    if round.mayBeDone || round.mayHaveFailed || entrance.isForClient {
      round.known = try await store.known(
        specifications.enumerated().map { (round.compared[$0.offset] ?? $0.element).request.url })
    }
    let repeated = try await named(entrance.uuids)
    for (index, job) in repeated { round.early[index] = .job(job) }
    for (index, given) in specifications.enumerated() where repeated[index] == nil {
      let specification = round.compared[index] ?? given
      if try isPlainlyNew(specification, &round) { continue }
      if let before = try await followed(specification) { round.compared[index] = before }
      try await look(at: round.compared[index] ?? specification, index, of: specifications, &round)
    }
    // This is the usual case for lists of hundreds of thousands of URLs.
    let isPlain = entrance == Entrance()
    let isAllNew = round.early.isEmpty && round.compared.isEmpty && round.arranging.twins.isEmpty
    let chosen = isPlain || isAllNew ? entrance : entrance.of((0..<specifications.count).filter(round.isQueued))
    try arrange(round.arranging.complete)
    try await fetchAgain(round.again)
    let added = try await addAll(
      isAllNew ? AnySequence(specifications) : AnySequence(round.rest(of: specifications)),
      in: Set(round.places.keys), marks: marks, haveBodies: round.haveBodies, seen: round.seen, entering: chosen)
    if !round.rechecks.isEmpty { try await store.recheck(round.rechecks) }
    try await moveLinks(round.links)
    if isAllNew, !added.contains(where: \.existing) { return added.map { .job($0) } }
    let all = try await results(specifications, &round, repeated: Set(repeated.keys), added)
    let gone = try await carryOut(round.arranging)
    return gone.isEmpty ? all : try await admitAgain(specifications, all, without: gone, entrance)
  }

  /// Admits those downloads once more that would have joined jobs which another process has removed since.
  private func admitAgain(
    _ specifications: AnyCollection<JobSpecification>, _ admissions: [Admission], without gone: Set<JobID>,
    _ entrance: Entrance
  ) async throws(Failure) -> [Admission] {
    let lost = admissions.indices.filter { index in
      if case .job(let added) = admissions[index] { gone.contains(added.id) } else { false }
    }
    let places = Set(lost)
    let wanted = specifications.enumerated().filter { places.contains($0.offset) }.map(\.element)
    var all = admissions
    let again = try await admitBlocking(AnyCollection(wanted), marks: [], entering: entrance.of(lost))
    for (index, admission) in zip(lost, again) { all[index] = admission }
    return all
  }

  /// Returns what became of each download of a call: what was found out before, or the jobs that were added for the
  /// rest.
  private func results(
    _ specifications: AnyCollection<JobSpecification>, _ round: inout AdmissionRound, repeated: Set<Int>,
    _ added: [AddedJob]
  ) async throws(Failure) -> [Admission] {
    var added = added.makeIterator()
    var result: [Admission] = []
    result.reserveCapacity(specifications.count)
    // A list makes its specifications on demand, so only the needed ones are requested.
    for (index, place) in specifications.indices.enumerated() {
      if let one = round.early[index] {
        // If it is fetched again, the file must match the digest that is given now (P12).
        if case .job(let added) = one, !repeated.contains(index), !round.untouched.contains(index) {
          let asked = round.compared[index] ?? specifications[place]
          result.append(.job(try await renewed(added, with: asked, &round)))
        } else {
          result.append(one)
        }
      } else if let first = round.arranging.twins[index] {
        var twin = result[first]
        if case .job(var job) = twin {
          (job.existing, job.repetition, job.replacesDamaged) = (true, nil, false)
          twin = .job(job)
        }
        result.append(twin)
      } else if var one = added.next() {
        one.replacesDamaged = !one.existing && round.arranging.damaged.contains(index)
        result.append(
          one.existing ? try await again(one, round.compared[index] ?? specifications[place], &round) : .job(one))
      }
    }
    return result
  }

  /// Returns what becomes of a job that another process has added in the meantime.
  private func again(
    _ added: AddedJob, _ specification: JobSpecification, _ round: inout AdmissionRound
  ) async throws(Failure) -> Admission {
    if let job = try await store.job(added.id) {
      if job.state == .complete {
        let done = try await done(job, specification, in: try destinations.check(specification.place))
        guard let done else { return .job(added) }
        try arrange([specification])
        return done
      }
      guard round.entrance.mayTouch(job) else {
        try round.arranging.ask(specification, of: job, mayReplace: false)
        return .job(added)
      }
    }
    // The repeated request may add a header field or a digest that was missing.
    return .job(try await renewed(added, with: specification, &round))
  }

  /// Returns what becomes of a complete job whose file fits the new specification; `nil` if the published file is no
  /// longer there.
  func done(
    _ job: Job, _ specification: JobSpecification, in destination: (any Destination)?
  ) async throws(Failure) -> Admission? {
    guard let published = job.published, let name = job.fileName, let destination,
      try await isAsPublished(job, name, in: destination)
    else { return nil }
    let remark = try await judge(name, in: destination, published, of: job, by: specification)
    return .alreadyComplete(job.id, path: PathText.join(specification.directory, name), remark: remark)
  }

  /// Judges the published file of a complete job by what is demanded of it now (``FileDemands``).
  /// - Parameter isProved: Whether the file is known to have the required digest and length.
  /// - Returns: A note for people on what could not be checked; `nil` if there is nothing to say.
  /// - Throws: Kind `integrity` or `file` for a file that does not meet the demands; the failure of the network if a
  ///   digest is required and could not be looked up.
  func judge(
    _ name: String, in destination: any Destination, _ published: FileIdentity, of job: Job,
    by specification: JobSpecification, isProved: Bool = false
  ) async throws(Failure) -> String? {
    var demands = FileDemands(of: specification, judging: job)
    if isProved { (demands.digest, demands.size) = (nil, nil) }
    guard !demands.areMet else { return nil }
    if demands.digest != nil || demands.size != nil {
      try FileHashing.prove(specification.options, name, in: destination, size: published.size) { false }
    }
    let check = CompleteFileCheck(
      destination: destination, name: name, identity: published, head: job.response?.head, state: "it is complete",
      advice: "remove the file to fetch it again")
    try check.compare(demands)
    guard demands.verify != .none else { return nil }
    let searched = demands.verify.looksBeside ? try await search(specification) : nil
    let proof = try check.prove(demands.verify, searched: searched, known: job.digest) { false }
    // A client changes nothing of a user's job.
    let mayRecord = specification.request.isOfClient != true || job.specification.request.isOfClient == true
    if let digest = proof?.digest, mayRecord { _ = try await store.record(digest, of: job.id) }
    return proof?.note
  }

  /// Looks for the digest of a file in lists beside its URL.
  private func search(_ specification: JobSpecification) async throws(Failure) -> Result<FoundDigest?, Failure> {
    let request = try specification.request.credentialed()
    let hold = try await engine()
    defer { withExtendedLifetime(hold) {} }
    let search = DigestSearch(request, hold.engine, key: specification.options.verifyKey)
    do throws(Failure) { return .success(try await search.find(request.url)) } catch { return .failure(error) }
  }

  /// Returns the specification of a new job that fetches the file only if the server has another version than the
  /// published one.
  func unlessChanged(
    _ job: Job, _ specification: JobSpecification, in destination: (any Destination)?
  ) async throws(Failure) -> JobSpecification? {
    guard case .some = try await done(job, specification, in: destination) else { return nil }
    var again = specification
    again.request.cache = CachePolicy(
      ifChanged: TargetBaseline(after: job), noCache: specification.request.cache?.noCache ?? false)
    return again
  }

  /// Queues jobs again: complete jobs whose files are gone, and failed jobs.
  /// - Throws: Kind `file` if the target now belongs to another job.
  private func fetchAgain(_ jobs: [JobID: JobSpecification]) async throws(Failure) {
    guard !jobs.isEmpty else { return }
    for (id, result) in try await store.retry(jobs.keys.sorted(), with: jobs) {
      switch result {
      case .done, .asked: break
      case .refused(let reason, _):
        let past = try await store.job(id)?.state == .failed ? "had failed to fetch it" : "had fetched it"
        throw Failure(
          .file, jobs[id]?.request.url.description ?? "job \(id)",
          "job \(id), which \(past), cannot fetch it again: \(reason)",
          advice: "choose another name with \(.output), or \(.remove, id)", recovery: .keep)
      case .unknown:
        throw Failure(.other, "job \(id)", "another process has just removed it", advice: "try again", recovery: .keep)
      }
    }
  }

  /// Gives an existing job the options of a repeated request (``AskedAgainRule/merged(_:into:)``). An active job keeps
  /// its options, because a digest that it does not check must not count as checked (P12).
  private func renewed(
    _ added: AddedJob, with asked: JobSpecification, _ round: inout AdmissionRound
  ) async throws(Failure) -> AddedJob {
    guard let job = try await store.job(added.id) else { return added }
    var added = added
    var (merged, change) = AskedAgainRule.merged(asked, into: job)
    var before = job.specification
    (before.after, before.startAt, before.group) = (merged.after, merged.startAt, merged.group)
    var isRenewed = false
    if merged != before {
      isRenewed = try await store.renew(added.id, with: merged)
      change.isApplied = isRenewed
    }
    if !isRenewed { try round.arranging.ask(asked, of: job, mayReplace: true) }
    if !change.isApplied, let now = try await store.job(added.id)?.specification {
      let unchecked = FileDemands.unchecked(of: asked, by: now)
      guard unchecked.isEmpty else {
        throw Failure(
          .other, asked.request.url.description,
          "another process transfers it as job \(added.id), without \(FileDemands.words(unchecked))",
          advice: "wait for it with \(.wait, added.id), then try again", recovery: .keep)
      }
    }
    if added.repetition == nil, !change.isSilent { added.repetition = change }
    return added
  }

  /// Whether there was a crash after this download had published its target, but before that was recorded. If so, the
  /// job continues and finishes the publish (Q5).
  func isHalfPublished(
    _ specification: JobSpecification, at name: String, in destination: any Destination
  ) async throws(Failure) -> Bool {
    guard specification.request.isSafe, let found = try destination.identity(of: name) else { return false }
    let job = try await store.find(specification.key)
    guard let job, job.state != .complete, job.fileName == name, let published = job.publishing else { return false }
    return try PublishedBytes(try await store.sums(of: job.id), job.digest, size: published.size).are(
      found, published, in: name, of: destination)
  }

  func completed(_ specification: JobSpecification) async throws(Failure) -> Job? {
    // A request that must not be repeated always gets a new job (P10).
    guard specification.request.isSafe else { return nil }
    let newest = try await store.find(specification.key)
    return newest?.state == .complete ? newest : nil
  }

  /// Returns the failed job that a specification requests again.
  /// - Parameter wantsNew: Whether the caller expects a new job. Even in that case, a job that the server refused is
  ///   corrected.
  func failed(
    _ specification: JobSpecification, wantsNew: Bool, _ entrance: Entrance
  ) async throws(Failure) -> Job? {
    guard specification.request.isSafe else { return nil }
    let newest = try await store.find(specification.key)
    return newest.flatMap { job in
      entrance.mayTouch(job) && AskedAgainRule.isRepetition(specification, of: job, wantsNew: wantsNew) ? job : nil
    }
  }
}
