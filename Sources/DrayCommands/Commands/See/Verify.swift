// `dray verify`: compares files and objects with their known digests.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import DrayWire

struct Verify: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check files against the digests that are recorded or given.",
    discussion: """
      A number is a job, anything else a path; write ./7 for a file of that name. A job's file is compared with the digest that was \
      checked when it was fetched, a path with that of the job that fetched it. Without one, a file of up to 1 MiB is compared with the SHA-256 that \
      was computed when it was fetched, and a larger one with the checksums of its pieces or blocks. Its SHA-256 is printed, and --record \
      stores it for the next time.

      An object is not read if its server keeps the same checksum of the whole, by the algorithm of the digest. Otherwise it is \
      read, which may cost something there.

      One line per file: OK, FAILED or UNKNOWN, the digest, the path. The exit status is the first of these that applies: 9 if one \
      failed, 3 if one could not be read, 1 if one has nothing to compare with.

      With --repair, only the damaged parts of the files of jobs are fetched again, provided that the hashes of their pieces \
      or the checksums of their blocks are known; the repaired file replaces the damaged one once it is complete and \
      verified. If the server has another version by now, dray reports it, the \
      exit status is 9, and the file is unchanged.

      EXAMPLES
        dray verify 7
        dray verify --all
        dray verify --checksum sha-256=HEX big.iso
        dray verify --repair 7
      """)

  @Argument(
    help: ArgumentHelp("Jobs by their ids, or files.", valueName: "id|file"), completion: .file())
  var operands: [String] = []

  @Flag(help: "All complete jobs.")
  var all = false

  @Option(help: ArgumentHelp("The digest that the file must have.", valueName: "alg=digest"))
  var checksum: String?

  @Flag(help: "Store the SHA-256 of jobs that have no digest, or only a CRC.")
  var record = false

  @Flag(help: "Fetch the damaged parts of the files of jobs again.")
  var repair = false

  @Flag(help: "Print JSON: one object per line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only files that are not OK.")
  var quiet = false

  private struct Item {
    var path: String
    var job: Job?
    var expected: SourcedDigest?
  }

  func execute() async throws -> ExitStatus {
    guard operands.isEmpty || !all else { throw OptionValue.bad("--all", "give either files or --all") }
    guard !operands.isEmpty || all else {
      throw OptionValue.bad("no file is given", "name jobs by their ids, files by their paths, or write --all")
    }
    let given = try checksum.map { (text) throws(Failure) in
      SourcedDigest(try OptionValue.read(text, .digest, "--checksum"), .given)
    }
    guard given == nil || operands.count == 1 else {
      throw OptionValue.bad("--checksum", "\(all ? "all" : "\(operands.count)") files cannot have one digest")
    }
    let manager = try await Store.look()
    var items = all ? try await allItems(manager) : []
    for operand in operands { items.append(try await item(operand, manager)) }
    if repair { return try await repaired(items) }
    var statuses: Set<ExitStatus> = []
    for var item in items {
      if let given { item.expected = given }
      do throws(Failure) {
        let found = try await look(item, manager)
        if let status = try await report(found, manager) { statuses.insert(status) }
      } catch {
        Messages.print(error)
        statuses.insert(error.exitStatus)
      }
    }
    // A damaged file is the worst result, so its exit status takes precedence.
    return statuses.contains(.integrity) ? .integrity : ExitStatus.combined(statuses)
  }

  private func look(_ item: Item, _ manager: DownloadManager?) async throws(Failure) -> Verification {
    guard let manager, let job = item.job else {
      guard ObjectPlace.isMeant(by: item.path) else {
        return try Verification.verify(item.path, expected: item.expected)
      }
      return try await Store.open().verify(object: item.path, expected: item.expected)
    }
    return try await manager.verify(item.path, expected: item.expected, job: job)
  }

  private func repaired(_ items: [Item]) async throws -> ExitStatus {
    guard checksum == nil, !record, !json else {
      throw OptionValue.bad("--repair", "it cannot be combined with --checksum, --record or --json")
    }
    let ids = try items.map { item throws(Failure) in
      guard !ObjectPlace.isMeant(by: item.path) else {
        throw Failure(
          .usage, item.path, "objects are not repaired in place",
          advice: item.job.map { "`dray retry \($0.id)` fetches it again" })
      }
      guard let job = item.job else {
        throw Failure(
          .usage, item.path, "no job fetched this file, so its source is unknown",
          advice: "`dray get --checksum` fetches it again")
      }
      return job.id
    }
    return try await RepairRun.run(ids, quiet: quiet)
  }

  private func allItems(_ manager: DownloadManager?) async throws(Failure) -> [Item] {
    let ids = try await manager?.jobs.ids(states: [.complete]) ?? []
    let jobs = try await manager?.jobs.jobs(ids: ids) ?? []
    return Verify.files(jobs).map { Item(path: $0.path, job: $0.job, expected: $0.expected) }
  }

  /// Returns the files of complete jobs, each file once, with the job that finished last, because that job wrote the
  /// file. If that job has no digest, the digest of another job counts, provided that it published the same file.
  static func files(_ jobs: [Job]) -> [(path: String, job: Job, expected: SourcedDigest?)] {
    var files: [(path: String, job: Job, expected: SourcedDigest?)] = []
    var places: [String: Int] = [:]
    let inOrder = jobs.sorted { ($0.finishedAt ?? 0, $0.id) < ($1.finishedAt ?? 0, $1.id) }
    for job in inOrder {
      guard let path = job.target else { continue }
      guard let place = places[path] else {
        places[path] = files.count
        files.append((path, job, job.knownDigest))
        continue
      }
      let former = files[place]
      let isSame = job.published != nil && job.published == former.job.published
      files[place] = (path, job, job.knownDigest ?? (isSame ? former.expected : nil))
    }
    return files.sorted { $0.job.id < $1.job.id }
  }

  private func item(_ operand: String, _ manager: DownloadManager?) async throws(Failure) -> Item {
    if let id = JobID(operand), id > 0 {
      let job = try await JobIDs.job(id, manager)
      guard job.state == .complete, let path = job.target else {
        throw Failure(
          .usage, "job \(id)", "it \(job.state.predicate), so its file is not complete",
          advice: job.state.isFinished ? nil : "`dray run` fetches it, and checks it")
      }
      return Item(path: path, job: job, expected: job.knownDigest)
    }
    guard !operand.isEmpty else { throw OptionValue.bad("a file", "its name is empty") }
    let surroundings = try Surroundings.real()
    let path = surroundings.withoutParents(surroundings.absolute(operand))
    if ObjectPlace.isMeant(by: path) {
      _ = try OptionValue.object(operand) { () throws(ObjectPlaceError) in try ObjectPlace.object(parsing: path) }
    }
    let job = try await manager?.completeJob(at: path)
    return Item(path: path, job: job, expected: job?.knownDigest)
  }

  /// Prints the result for a file.
  /// - Returns: The exit status that follows from the result; `nil` if the file is unchanged.
  private func report(_ found: Verification, _ manager: DownloadManager?) async throws(Failure) -> ExitStatus? {
    let (word, status): (String, ExitStatus?) =
      switch found.outcome {
      case .right: ("OK", nil)
      case .wrong: ("FAILED", .integrity)
      case .unknown: ("UNKNOWN", .other)
      }
    let isRecorded = try await recordIfWanted(found, manager)
    if json {
      write(found, word)
    } else if !quiet || status != nil || isRecorded {
      let shown = isRecorded ? "RECORDED" : word
      let digest = isRecorded ? found.identity : found.digest
      ResultOutput.standard.write("\(shown)  \(digest)  \(TextSafety.escaped(found.path))\n")
    }
    guard let status, !isRecorded else { return nil }
    switch found.outcome {
    case .wrong:
      let reason = Verify.difference(found.expected, now: found.digest)
      Messages.print(
        Failure(
          .integrity, found.path,
          found.job == nil ? "another file, or damaged\(reason)" : "changed or damaged since the download\(reason)",
          advice: found.job.map { "`dray verify --repair \($0)` fetches the damaged parts again" }))
    case .unknown where !json:
      Messages.print(
        Failure(
          .other, found.path, "no digest is known to compare it with",
          advice: found.job == nil ? "give a digest with --checksum" : "--record stores this digest for the next time"))
    case .unknown, .right: break
    }
    return status
  }

  /// Returns a text with the expected digest, the source of that digest, and the digest that the file has now.
  static func difference(_ expected: SourcedDigest?, now digest: DigestValue) -> String {
    guard let expected else { return "" }
    let word = expected.source == .computed ? "recorded" : TextSafety.escaped(expected.source.rawValue)
    return "; \(word): \(expected.digest.hex), is now \(digest.hex)"
  }

  private func recordIfWanted(_ found: Verification, _ manager: DownloadManager?) async throws(Failure) -> Bool {
    guard record, found.outcome != .wrong, let job = found.job, !(found.expected?.digest.algorithm.identifies ?? false),
      found.identity.algorithm.identifies
    else { return false }
    return try await manager?.jobs.record(SourcedDigest(found.identity, .computed), of: job) ?? false
  }

  private func write(_ found: Verification, _ word: String) {
    var json = JSONText()
    json.object { json in
      json.field("id", found.job)
      json.field("path", found.path)
      json.field("size", found.size)
      json.field("outcome", word.lowercased())
      json.field("digest", found.digest.description)
      json.field("expected", found.expected?.digest.description)
      json.field("digestSource", found.expected?.source.rawValue)
    }
    json.endLine()
    ResultOutput.standard.write(json)
  }
}
