// Publishes the files of one group step by step. A file that fails at one step skips the others.

internal import DrayEngine
internal import DrayStore

/// A group of files and their progress.
struct PublishGroup {
  struct Entry: Sendable {
    var item: PublishItem
    /// The file's identity, once verified.
    var identity = FileIdentity(device: 0, inode: 0, size: 0, modified: 0)
    var name: String
    /// A note for people.
    var note: String?
    /// The digest to record.
    var digest: SourcedDigest?
    /// The reason, if the content is a page instead of the file. It is kept aside.
    var page: String?
    /// Whether its new name is durable.
    var isDurable = false
    /// Names that its destination has, as far as they matter.
    var taken: Set<String> = []
    var result: PublishResult?

    var isOpen: Bool { result == nil }
    var destination: any Destination { item.publication.part.destination }

    /// Describes the object to its destination, unless that was done before.
    func describe() {
      guard destination.isRemote else { return }
      let job = item.box.job
      var description = ObjectDescription(job, item.facts.response ?? job.response)
      if let digest = digest?.digest, digest.algorithm == .sha256 { description.sha256 = digest.hex }
      item.publication.part.willBe(name, description)
      item.publication.part.willHold(item.sums, digest?.digest)
    }

    /// Returns the result for a file whose name was refused.
    /// - Parameter group: the jobs that are published together with it. They end before the next group begins.
    func answer(to refusal: Failure, in group: Set<JobID>) -> PublishResult {
      switch refusal.clashAnswer(item.box.job.specification.options.onConflict) {
      case .skip?: .skipped(path: PathText.join(destination.path, name))
      case .wait?: refusal.owner.map { group.contains($0.job) } ?? false ? .next : .busy(refusal)
      case .refuse?, .rename?, nil: .failed(refusal)
      }
    }

    /// Records oddities of the content.
    /// - Returns: the reason, if the content is a page instead of the file.
    mutating func look() throws(Failure) -> String? {
      let head = (item.facts.response ?? item.box.job.response)?.head
      switch try item.publication.content(of: item.box.job.specification, named: name, head) {
      case .fine, .wrong: return nil
      case .odd(let oddity): note = JobNote.adding(oddity, to: note)
      case .page(let what): return what
      }
      return nil
    }

    /// Renames a local part file to its target, if that is free and nothing may be replaced.
    /// - Returns: whether that ended it. Otherwise ``rename(_:)`` decides.
    mutating func renamedToFreeName(unless isOver: () -> Bool) -> Bool {
      guard item.box.job.specification.options.onConflict != .overwrite, !isOver() else { return false }
      do throws(Failure) {
        return take(try destination.publish(item.publication.part.publishable, as: name, .nothing))
      } catch {
        result = .failed(error)
        return true
      }
    }

    /// Renames the part file to its target, or to a free name if the policy says so.
    mutating func rename(
      unless isHalted: @escaping @Sendable () -> Bool,
      _ record: (PublishIntent) async throws(Failure) -> PublishPermit
    ) async throws(Failure) {
      let box = item.box
      let policy = box.job.specification.options.onConflict
      let isGuarded = Conflict.isGuarded(box.job.specification)
      let fixed = name
      var (number, tries) = (0, 0)
      if policy == .rename, let bound = item.publication.part.publishable.boundName, bound != name,
        let owner = try await take(name: bound, record)
      {
        throw owner
      }
      while tries < Entry.mostTries {
        // Check again, as only files may be replaced.
        let replaces =
          policy == .overwrite && !isGuarded ? try mayReplaceAnything() : false
        if try await publish(replaces ? .anything : .nothing) { return }
        tries += 1
        // Without blocking the thread, which publishes other files, too.
        try await destination.prefetch(name)
        switch try Conflict.look(box.job.specification, at: name, in: destination, addedAt: box.job.addedAt) {
        case .replaces:
          // The adopted file, whose bytes are part of this one.
          if try await publish(Conflict.replacement(box.job, named: name)) { return }
        case .none where isGuarded:
          // The compared file, the only one that may be replaced. It may be gone by now.
          if try await publish(Conflict.replacement(box.job, named: name)) { return }
        case .none where policy == .rename:
          let search = NameSearch(
            specification: box.job.specification, destination: destination, isOver: isHalted)
          repeat {
            let isStopped = destination.isRemote && isHalted()
            guard !isStopped, let free = try await search.number(for: fixed, from: number + 1) else {
              result = .stopped
              return
            }
            number = free
          } while try await take(name: NameSearch.name(fixed, number), record) != nil
          tries = 0  // Count the tries of each name separately.
        case .none, .upToDate:
          continue  // The obstacle has gone.
        case .skip:
          result = .skipped(path: PathText.join(destination.path, name))
          return
        case .refuse(let failure):
          guard try isEqual() else { throw failure }
          result = .equal
          return
        }
      }
      throw Failure(
        .file, PathText.join(destination.path, name),
        "the file there could not be replaced in \(tries) tries: it changes, or its file system renumbers files",
        advice: "move it away, then \(.retry) tries again")
    }

    /// Takes another name, once it is recorded.
    /// - Returns: the refusal of a name that another unfinished job has as its target (N8).
    private mutating func take(
      name other: String, _ record: (PublishIntent) async throws(Failure) -> PublishPermit
    ) async throws(Failure) -> Failure? {
      switch try await record(item.intent(other, identity, digest, isAnother: true)) {
      case .granted: name = other
      case .refused(let failure): return failure
      case .lost: throw Failure.leaseLost(item.box.job.id)
      }
      return nil
    }

    /// Whether the name is no device, pipe or socket.
    private func mayReplaceAnything() throws(Failure) -> Bool {
      destination.isRemote ? true : try destination.occupant(of: name) != .special
    }

    /// Returns the file after its rename.
    func renamed(
      unless isOver: () -> Bool, _ isHalted: @escaping @Sendable () -> Bool,
      _ record: (PublishIntent) async throws(Failure) -> PublishPermit
    ) async -> Entry {
      var entry = self
      // No object is begun once the run is stopped.
      if destination.isRemote, isHalted() {
        entry.result = .stopped
        return entry
      }
      do throws(Failure) {
        guard !isOver() else { throw Failure.leaseLost(item.box.job.id) }
        try await entry.rename(unless: isHalted, record)
      } catch {
        // Recovery proves an object that exists but could not be read back, and one that may exist: the run was stopped
        // before the bucket answered.
        let isMade = item.publication.part.publishable.publishedIdentity != nil && error.kind != .integrity
        let isUnknown = destination.isRemote && isHalted() && error.recovery == .retry
        let isStopped = !isMade && error.isUploadStopped
        entry.result = isStopped ? .stopped : isMade || isUnknown ? .unfinished(error) : .failed(error)
      }
      return entry
    }

    /// Returns whether the file that has the name has the same bytes.
    private func isEqual() throws(Failure) -> Bool {
      let size = item.publication.size
      guard item.publication.part.isReadable,
        try Conflict.mayBeEqual(item.box.job.specification, at: name, in: destination, size: size),
        let there = try? destination.openTarget(name)
      else { return false }
      return try FileHashing.areEqual(item.publication.part, there, size: size)
    }

    /// Publishes the file under its name.
    /// - Returns: whether it was possible.
    private mutating func publish(_ replacement: Replacement) async throws(Failure) -> Bool {
      take(try await destination.publishing(item.publication.part.publishable, as: name, replacement))
    }

    /// Applies the outcome of a publish.
    /// - Returns: whether it was possible.
    private mutating func take(_ outcome: PublishOutcome) -> Bool {
      let part = item.publication.part.publishable
      guard case .done(let notes) = outcome else { return false }
      if let published = part.publishedIdentity { identity = published }
      digest = part.provedDigest ?? digest
      for remark in notes { note = JobNote.adding(remark, to: note) }
      return true
    }

    /// The maximum number of tries for a name. If a file system derives inode numbers from paths, no exchanged file is
    /// recognized, and each exchange is undone.
    private static let mostTries = 8
  }

  var entries: [Entry]

  init(items: [PublishItem] = []) {
    entries = items.map { Entry(item: $0, name: $0.fileName, note: $0.facts.note, digest: $0.facts.digest) }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Verifies length, directory and content, and hashes small files.
  mutating func prepare() {
    var inPlace: [ObjectIdentifier: Bool] = [:]
    each { entry throws(Failure) in
      entry.describe()
      entry.page = try entry.look()
      let destination = entry.destination
      let isInPlace = inPlace[ObjectIdentifier(destination)] ?? destination.isInPlace
      inPlace[ObjectIdentifier(destination)] = isInPlace
      entry.identity = try entry.item.publication.prepare(destinationIsInPlace: isInPlace)
      guard entry.page == nil else { return }
      entry.digest = try entry.item.digestToRecord()
      if let remark = entry.item.publication.recordOrigin() {
        entry.note = JobNote.adding(remark, to: entry.note)
      }
    }
  }

  /// Keeps the pages that came instead of files under names that no file and no unfinished job has.
  /// - Parameters:
  ///   - isHalted: whether the run ends.
  ///   - store: the store of the jobs.
  mutating func keepPagesAside(unless isHalted: () -> Bool, _ store: any JobStoring) async {
    for index in entries.indices where entries[index].isOpen {
      guard let page = entries[index].page else { continue }
      let item = entries[index].item
      let job = item.box.job
      // A redirect may have led to a page with another name.
      let name = job.specification.output ?? job.ownName ?? FileName.fromURLPath(job.specification.request.url.path)
      let kept = await item.publication.keepAside(name, page, job.specification, unless: isHalted) {
        (aside) async throws(Failure) in
        try await store.targetOwner(aside, of: job.specification, besides: job.id) != nil
      }
      entries[index].result = kept.map { .refused($0) } ?? .stopped
    }
  }

  // MARK: Syncing

  /// The volumes of the files, with one destination and the number of files for each.
  var volumes: [Volume: (any Destination, Int)] {
    var all: [Volume: (any Destination, Int)] = [:]
    for entry in entries where entry.isOpen {
      all[entry.destination.volume, default: (entry.destination, 0)].1 += 1
    }
    return all
  }

  /// Makes the bytes of each file durable. Starts the write-back of all files before waiting for any.
  mutating func syncFiles(on volume: Volume) {
    each(on: volume) { entry throws(Failure) in entry.item.publication.startWriteBack() }
    each(on: volume) { entry throws(Failure) in
      try entry.item.publication.part.sync()
      // Remote file systems may set the time when the bytes are flushed.
      if !volume.keepsIdentities { entry.identity = try entry.item.publication.part.identity() }
    }
  }

  /// Finds the files whose bytes did not reach the disk, after their file system was synced.
  mutating func checkWriteBack(on volume: Volume) {
    each(on: volume) { entry throws(Failure) in try entry.item.publication.part.checkWriteBack() }
  }

  /// Marks names as durable, after a sync of their file system.
  mutating func namesAreDurable(on volume: Volume) {
    each(on: volume) { entry throws(Failure) in entry.isDurable = true }
  }

  /// Makes the remaining names durable, with one sync for each destination.
  mutating func syncNames() {
    var synced: [ObjectIdentifier: Failure?] = [:]
    for index in entries.indices where entries[index].isOpen && !entries[index].isDurable {
      let destination = entries[index].destination
      var failure = synced[ObjectIdentifier(destination)] ?? nil
      if synced[ObjectIdentifier(destination)] == nil {
        do throws(Failure) { try destination.syncNames() } catch { failure = error }
        synced[ObjectIdentifier(destination)] = .some(failure)
      }
      entries[index].isDurable = true
      if let failure { entries[index].result = .unfinished(failure) }
    }
  }

  // MARK: Renaming

  /// The records to store before the renames.
  var intents: [PublishIntent] {
    entries.compactMap { $0.isOpen ? $0.item.intent($0.name, $0.identity, $0.digest, taken: $0.taken) : nil }
  }

  /// Applies the store's permits, in the order of ``intents``. They fix the names.
  mutating func take(_ permits: [PublishPermit]) {
    var left = permits.makeIterator()
    let jobs = Set(entries.lazy.filter(\.isOpen).map(\.item.box.job.id))
    each { entry throws(Failure) in
      switch left.next() {
      case .granted(let name)?: entry.name = name
      case .refused(let failure)?: entry.result = entry.answer(to: failure, in: jobs)
      case .lost?, nil: throw Failure.leaseLost(entry.item.box.job.id)
      }
    }
  }

  /// Renames all files. Replaces existing ones only if requested.
  /// - Parameters:
  ///   - isOver: whether the runner's lease is over. The process may have been stopped since the permit.
  ///   - isHalted: whether the run ends.
  ///   - record: records another name before it is tried. It keeps the identity of the first intent, as preparing the
  ///     file again would change its time.
  mutating func rename(
    unless isOver: @escaping @Sendable () -> Bool, _ isHalted: @escaping @Sendable () -> Bool,
    _ record: @escaping @Sendable (PublishIntent) async throws(Failure) -> PublishPermit
  ) async {
    var remote: [Int] = []
    for index in entries.indices where entries[index].isOpen {
      if entries[index].destination.isRemote {
        remote.append(index)
      } else {
        // The usual case without an asynchronous call, which would put the rest of the group at the end of the queue.
        if !entries[index].renamedToFreeName(unless: isOver) {
          entries[index] = await entries[index].renamed(unless: isOver, isHalted, record)
        }
      }
    }
    guard !remote.isEmpty else { return }
    // A server answers many requests in the time of one.
    await withTaskGroup(of: (Int, Entry).self) { group in
      for (count, index) in remote.enumerated() {
        if count >= PublishGroup.mostRequests, let (done, entry) = await group.next() { entries[done] = entry }
        group.addTask { [entry = entries[index]] in (index, await entry.renamed(unless: isOver, isHalted, record)) }
      }
      for await (done, entry) in group { entries[done] = entry }
    }
  }

  /// The maximum number of files for which one group asks servers at once.
  static let mostRequests = 16

  /// Takes out the files that wait for the names of others in this group.
  mutating func takeWaiting() -> [PublishItem] {
    let waiting = entries.filter { if case .next? = $0.result { true } else { false } }
    if !waiting.isEmpty { entries.removeAll { if case .next? = $0.result { true } else { false } } }
    return waiting.map(\.item)
  }

  // MARK: Ending

  /// The records to store after the renames.
  var finished: [Finished] {
    entries.compactMap { entry in
      guard entry.isOpen else { return nil }
      return Finished(
        id: entry.item.box.job.id, published: entry.identity, received: entry.identity.size, size: entry.identity.size,
        note: entry.note, digest: entry.digest, attempt: entry.item.facts.attempt)
    }
  }

  /// Applies the store's answer to ``finished``. A job that was not held then has another holder, which may have
  /// published another file.
  mutating func end(_ held: Set<JobID>) {
    each { entry throws(Failure) in
      let id = entry.item.box.job.id
      if !held.contains(id) { throw Failure.leaseLost(id) }
    }
  }

  /// Ends all open files with the same failure.
  mutating func fail(_ failure: Failure) {
    for index in entries.indices where entries[index].isOpen { entries[index].result = .failed(failure) }
  }

  /// The results, in the original order.
  var results: [Published] {
    entries.map { entry in
      Published(
        item: entry.item, name: entry.name, note: entry.note, digest: entry.digest,
        result: entry.result ?? .published(path: PathText.join(entry.destination.path, entry.name)))
    }
  }

  private mutating func each(on volume: Volume? = nil, _ step: (inout Entry) throws(Failure) -> Void) {
    for index in entries.indices where entries[index].isOpen {
      if let volume, entries[index].destination.volume != volume { continue }
      do throws(Failure) {
        try step(&entries[index])
      } catch {
        entries[index].result = .failed(error)
      }
    }
  }
}
