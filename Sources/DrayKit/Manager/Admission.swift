// What happens to a download that is asked for, before it is queued.

internal import DrayEngine
public import DrayStore
internal import FoundationEssentials
internal import Posix

/// What became of a specification that was handed in.
public enum Admission: Sendable, Equatable {
  /// It is a job now, or was one already.
  case job(AddedJob)
  /// It was complete before, and its target is as it was published.
  case alreadyComplete(JobID, path: String)
  /// Its target is there, and the user wants it to stay; there is no job.
  case skipped(path: String)
}

extension DownloadManager {
  /// Queues what is not done yet, all or nothing; returns when it is durable.
  /// - Parameters:
  ///   - specifications: what is to be fetched.
  ///   - marks: entries of feeds that are remembered together with their jobs.
  ///   - entrance: names, states and place of those that are new. A UUID that a job has already stands for that job, as it is.
  /// - Throws: kind `file` for a target that is taken or a directory that cannot be written; then nothing was queued.
  ///   Kind `store` when the job store cannot be used.
  public func admit(
    _ specifications: some Collection<JobSpecification> & Sendable, marks: Set<FeedMark> = [],
    entering entrance: Entrance = Entrance()
  ) async throws(Failure) -> [Admission] {
    try await desk.run { () async throws(Failure) in
      try await self.admitOnDesk(specifications, marks: marks, entering: entrance)
    }
  }

  private func admitOnDesk(
    _ specifications: some Collection<JobSpecification>, marks: Set<FeedMark>, entering entrance: Entrance
  ) async throws(Failure) -> [Admission] {
    var directories: [DirectoryPlace: TargetDirectory?] = [:]
    let ended = try await store.present(among: [.complete, .failed])
    let mayBeDone = ended.contains(.complete)
    let mayHaveFailed = ended.contains(.failed)
    // Few of a list have been asked for before; each of these is looked up.
    let known =
      mayBeDone || mayHaveFailed ? try await store.known(specifications.map(\.request.url)) : []
    var early: [Int: Admission] = [:]
    var again: [JobID: JobSpecification] = [:]
    var compared: [Int: JobSpecification] = [:]
    var rechecks: [(id: JobID, specification: JobSpecification)] = []
    var seen: Set<JobID> = []
    var haveBodies = false
    let repeated = try await named(entrance.uuids)
    for (index, job) in repeated { early[index] = .job(job) }
    for (index, specification) in specifications.enumerated() where repeated[index] == nil {
      if specification.request.body != nil { haveBodies = true }
      if let refusal = SchemePolicy.objections(to: specification.request).refusal {
        throw Failure(.usage, specification.request.url.description, refusal, advice: "omit it")
      }
      try await checkAdoption(specification)
      let isKnown = known.contains(specification.request.url.string)
      let path = specification.directory
      let place = specification.place
      if directories[place] == nil { directories[place] = .some(try DownloadManager.writable(place)) }
      let directory = directories[place] ?? nil
      if let comparison = try await comparison(specification, in: directory) {
        let changed = comparison.specification
        if let name = changed.request.cache?.ifChanged?.name, let directory,
          case .refuse(let failure) = Conflict.look(changed, at: name, in: directory, addedAt: WallClock.now())
        {
          throw failure
        }
        compared[index] = changed
        if isKnown, mayHaveFailed, let failed = try await refused(changed) {
          again[failed.id] = changed
          early[index] = .job(AddedJob(id: failed.id, uuid: failed.uuid, existing: true))
        } else if let job = comparison.job {
          early[index] = .job(AddedJob(id: job.id, uuid: job.uuid, existing: true))
          rechecks.append((job.id, changed))
          seen.insert(job.id)
        }
        continue
      }
      if isKnown, mayBeDone, let done = try await completed(specification) {
        seen.insert(done.id)
        if entrance.fetchesAgain, entrance.continuing.contains(index),
          let again = try await unlessChanged(done, specification, in: directory)
        {
          compared[index] = again
          continue
        }
        if !entrance.fetchesAgain, let admission = try await self.done(done, specification, in: directory) {
          early[index] = admission
          continue
        }
        if !entrance.fetchesAgain, let name = done.fileName, !(directory?.exists(name) ?? false) {
          again[done.id] = specification
          early[index] = .job(AddedJob(id: done.id, uuid: done.uuid, existing: true))
          continue
        }
      }
      if let output = specification.output, let directory, directory.exists(output),
        try await !isHalfPublished(specification, at: output, in: directory)
      {
        let look = try await takingOver(specification)
        switch Conflict.look(look, at: output, in: directory, addedAt: WallClock.now()) {
        case .none, .upToDate, .replaces: break
        case .skip: early[index] = .skipped(path: Job.join(path, output))
        case .refuse(let failure): throw failure
        }
      }
      if isKnown, mayHaveFailed, let failed = try await refused(specification), early[index] == nil {
        again[failed.id] = specification
        early[index] = .job(AddedJob(id: failed.id, uuid: failed.uuid, existing: true))
      }
    }
    let rest = specifications.enumerated().lazy.filter { early[$0.offset] == nil }.map {
      compared[$0.offset] ?? $0.element
    }
    // Lists of hundreds of thousands choose nothing.
    let isPlain = entrance == Entrance()
    let chosen = isPlain ? entrance : entrance.of((0..<specifications.count).filter { early[$0] == nil })
    try await fetchAgain(again)
    var added = try await addAll(rest, marks: marks, haveBodies: haveBodies, seen: seen, entering: chosen)
      .makeIterator()
    if !rechecks.isEmpty { try await store.recheck(rechecks) }
    var result: [Admission] = []
    result.reserveCapacity(specifications.count)
    for (index, given) in specifications.enumerated() {
      let specification = compared[index] ?? given
      if let one = early[index] {
        // Fetched again, it must prove what is asked for now (P12).
        if case .job(let added) = one, repeated[index] == nil { try await renew(added.id, with: specification) }
        result.append(one)
      } else if let one = added.next() {
        // Another process has completed it since the look above.
        if one.existing, let job = try await store.job(one.id), job.state == .complete {
          let directory = try DownloadManager.writable(specification.place)
          result.append(try await done(job, specification, in: directory) ?? .job(one))
          continue
        }
        // Asked for again, perhaps with the header or the digest that was missing.
        if one.existing { try await renew(one.id, with: specification) }
        result.append(.job(one))
      }
    }
    return result
  }

  /// What a specification comes to whose job is complete: its file, proved to be what is asked for now; `nil` if that is
  /// not there as it was published.
  private func done(
    _ job: Job, _ specification: JobSpecification, in directory: TargetDirectory?
  ) async throws(Failure) -> Admission? {
    guard let published = job.published, let name = job.fileName, let directory,
      try await isAsPublished(job, name, in: directory)
    else { return nil }
    if !specification.options.areProved(by: job.digest, size: published.size) {
      try FileHashing.prove(specification.options, name, in: directory, size: published.size) { false }
    }
    return .alreadyComplete(job.id, path: Job.join(specification.directory, name))
  }

  /// The specification of a new job for an unchanged published file: fetched only if the server has another version.
  private func unlessChanged(
    _ job: Job, _ specification: JobSpecification, in directory: TargetDirectory?
  ) async throws(Failure) -> JobSpecification? {
    guard case .some = try await done(job, specification, in: directory) else { return nil }
    var again = specification
    again.request.cache = CachePolicy(
      ifChanged: TargetBaseline(after: job), noCache: specification.request.cache?.noCache ?? false)
    return again
  }

  /// Queues jobs again that are the same downloads: complete ones whose files are gone, and those that their servers refused.
  /// - Throws: kind `file` where the target is another job's by now.
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
        throw Failure(.other, "job \(id)", "another process removed it meanwhile", advice: "try again", recovery: .keep)
      }
    }
  }

  /// Gives a job that is there already the request and options of now. One that is being transferred keeps its own; a
  /// digest that it was not asked to prove must not be taken for proved (P12).
  private func renew(_ id: JobID, with specification: JobSpecification) async throws(Failure) {
    guard try await !store.renew(id, with: specification), let digest = specification.options.digest,
      try await store.job(id)?.specification.options.digest != digest
    else { return }
    throw Failure(
      .other, specification.request.url.description,
      "another process transfers it as job \(id), without this digest",
      advice: "wait for it with \(.wait, id), then try again", recovery: .keep)
  }

  /// Whether what has the target's name is what this same download put there, and a crash kept it from being recorded: its
  /// job continues, and ends the publish (Q5).
  private func isHalfPublished(
    _ specification: JobSpecification, at name: String, in directory: TargetDirectory
  ) async throws(Failure) -> Bool {
    guard specification.request.isSafe, let found = directory.identity(of: name) else { return false }
    let job = try await store.find(
      url: specification.request.url, directory: specification.directory, output: specification.output)
    guard let job, job.state != .complete, job.fileName == name, let published = job.publishing else { return false }
    return switch found.recognition(of: published) {
    case .same: true
    case .other: false
    case .renumbered, .retimed:
      try PublishedBytes(try await store.sums(of: job.id), job.digest, size: published.size).are(
        in: name, of: directory)
    }
  }

  private func completed(_ specification: JobSpecification) async throws(Failure) -> Job? {
    // A request that is not safe is another one each time (P10).
    guard specification.request.isSafe else { return nil }
    let newest = try await store.find(
      url: specification.request.url, directory: specification.directory, output: specification.output)
    return newest?.state == .complete ? newest : nil
  }

  /// The job that a specification is a correction of: its server refused it.
  private func refused(_ specification: JobSpecification) async throws(Failure) -> Job? {
    guard specification.request.isSafe else { return nil }
    let newest = try await store.find(
      url: specification.request.url, directory: specification.directory, output: specification.output)
    return newest.flatMap { AskedAgainRule.isCorrection(specification, of: $0) ? $0 : nil }
  }

  /// The directory, if it is there; a failure, if nothing could be written in it.
  static func writable(_ place: DirectoryPlace) throws(Failure) -> TargetDirectory? {
    var existing = place
    while !isThere(existing), existing.path != "/" { existing = existing.parent }
    var directory: TargetDirectory?
    if existing == place || existing.foreignDepth > 0 {
      do throws(SystemError) { directory = try TargetDirectory(existing) } catch { throw error.failure(existing.path) }
    }
    guard FileManager.default.isWritableFile(atPath: existing.path) else {
      throw Failure(
        .file, existing.path, "this directory is not writable", advice: "choose another with \(.directory)",
        recovery: .keep)
    }
    return existing == place ? directory : nil
  }

  /// Whether anything is there; below what the user named, a link that leads nowhere is something, too.
  private static func isThere(_ place: DirectoryPlace) -> Bool {
    FileManager.default.fileExists(atPath: place.path)
      || place.foreignDepth > 0 && (try? FileManager.default.attributesOfItem(atPath: place.path)) != nil
  }
}
