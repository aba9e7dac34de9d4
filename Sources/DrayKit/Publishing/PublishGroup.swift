// Publishes the files of one group step by step. A file that fails in one step skips the remaining steps.

internal import DrayEngine
internal import DrayStore

internal import struct FoundationEssentials.UUID

struct PublishGroup {
  var entries: [Entry]

  init(items: [PublishItem] = []) {
    entries = items.map {
      Entry(
        item: $0, name: $0.fileName, note: $0.facts.note, digest: $0.facts.digest,
        arrangements: $0.box.job.specification.arrangements)
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Verifies digests that are still to be compared, length, directory and content, and hashes small files.
  mutating func prepare() {
    var inPlace: [ObjectIdentifier: Bool] = [:]
    each { entry throws(Failure) in
      guard entry.prove() else { return }
      entry.describe()
      entry.page = try entry.look()
      let destination = entry.destination
      let isInPlace = inPlace[ObjectIdentifier(destination)] ?? destination.isInPlace
      inPlace[ObjectIdentifier(destination)] = isInPlace
      entry.identity = try entry.item.publication.prepare(destinationIsInPlace: isInPlace)
      guard entry.page == nil else { return }
      entry.digest = try entry.item.digestToRecord(entry.digest)
      if let remark = entry.item.publication.recordOrigin() {
        entry.note = JobNote.adding(remark, to: entry.note)
      }
    }
  }

  /// Saves pages that arrived in place of files, under names that no file and no unfinished job has.
  /// - Parameter isHalted: Whether the run is ending.
  mutating func keepPagesAside(isHalted: () -> Bool, _ store: any JobStoring) async {
    for index in entries.indices where entries[index].isOpen {
      guard let page = entries[index].page else { continue }
      let item = entries[index].item
      let job = item.box.job
      // If a redirect led to the page, the page may have another name than the file.
      let name = job.specification.output ?? job.ownName ?? FileName.fromURLPath(job.specification.request.url.path)
      let kept = await item.publication.keepAside(name, page, job.specification, isHalted: isHalted) {
        (aside) async throws(Failure) in
        try await store.targetOwner(aside, of: job.specification, besides: job.id) != nil
      }
      entries[index].result = kept.map { .refused($0) } ?? .stopped
    }
  }

  /// Ends the jobs of pages without keeping the pages.
  mutating func refusePages() {
    for index in entries.indices where entries[index].isOpen {
      guard let page = entries[index].page else { continue }
      let url = entries[index].item.box.job.specification.request.url
      entries[index].result = .refused(.pageInstead(url, page))
    }
  }

  // MARK: Syncing

  /// For each volume, one of its destinations and the number of files on it.
  var volumes: [Volume: (any Destination, Int)] {
    var all: [Volume: (any Destination, Int)] = [:]
    for entry in entries where entry.isOpen {
      all[entry.destination.volume, default: (entry.destination, 0)].1 += 1
    }
    return all
  }

  /// Makes the bytes of each file durable. The write-back of all files is started before waiting for any of them.
  mutating func syncFiles(on volume: Volume) {
    each(on: volume) { entry throws(Failure) in entry.item.publication.startWriteBack() }
    each(on: volume) { entry throws(Failure) in
      try entry.item.publication.part.sync()
      // On remote file systems, the time of a file may change when its bytes are flushed.
      if !volume.keepsIdentities { entry.identity = try entry.item.publication.part.identity() }
    }
  }

  /// After a sync of the file system, finds files whose bytes did not reach the disk.
  mutating func checkWriteBack(on volume: Volume) {
    each(on: volume) { entry throws(Failure) in try entry.item.publication.part.checkWriteBack() }
  }

  /// Records that the names are durable, because the file system was synced.
  mutating func namesAreDurable(on volume: Volume) {
    each(on: volume) { entry throws(Failure) in entry.isDurable = true }
  }

  /// Makes the names durable, with one sync for each destination.
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

  /// Takes the store's permits, in the order of ``intents``. The permits fix the names.
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

  /// Renames the files. An existing file is replaced only if that was requested.
  /// - Parameters:
  ///   - leaseIsOver: Returns whether the runner's lease is over: the process may have been paused since the permit.
  ///   - isHalted: Whether the run is ending.
  ///   - record: Records another name before it is tried. The new record keeps the identity of the first intent,
  ///     because preparing the file again would change the file's time.
  mutating func rename(
    leaseIsOver: @escaping @Sendable () -> Bool, isHalted: @escaping @Sendable () -> Bool,
    _ record: @escaping @Sendable (PublishIntent) async throws(Failure) -> PublishPermit
  ) async {
    var remote: [Int] = []
    for index in entries.indices where entries[index].isOpen {
      if entries[index].destination.traits.asksServer {
        remote.append(index)
      } else {
        // The usual case needs no asynchronous call. Such a call would put the rest of the group at the end of the
        // executor's queue.
        if !entries[index].renamedToFreeName(leaseIsOver: leaseIsOver) {
          entries[index] = await entries[index].renamed(leaseIsOver: leaseIsOver, isHalted: isHalted, record)
        }
      }
    }
    guard !remote.isEmpty else { return }
    // Send several requests at once, because a server answers many in the time of one.
    await withTaskGroup(of: (Int, Entry).self) { group in
      for (count, index) in remote.enumerated() {
        if count >= PublishGroup.mostRequests, let (done, entry) = await group.next() { entries[done] = entry }
        group.addTask { [entry = entries[index]] in
          (index, await entry.renamed(leaseIsOver: leaseIsOver, isHalted: isHalted, record))
        }
      }
      for await (done, entry) in group { entries[done] = entry }
    }
  }

  /// The maximum number of files of a group with requests in progress.
  static let mostRequests = 16

  /// Removes and returns the files that wait for the names of other files in this group.
  mutating func takeWaiting() -> [PublishItem] {
    let waiting = entries.filter { if case .next? = $0.result { true } else { false } }
    if !waiting.isEmpty { entries.removeAll { if case .next? = $0.result { true } else { false } } }
    return waiting.map(\.item)
  }

  // MARK: Ending

  /// Makes the files visible to the programs that they are for. If that fails, recovery repeats it, because the files
  /// have their names already.
  /// - Parameter syncs: Whether the new names survive a power cut.
  mutating func arrange(syncs: Bool) {
    let wanted = entries.indices.filter { entries[$0].isOpen && !entries[$0].arrangements.isEmpty }
    guard !wanted.isEmpty else { return }
    // One sync of a file system costs less than those of many directories.
    let isMany = syncs && wanted.count > PublishGroup.fewLinks && wanted.allSatisfy { entries[$0].volumeCanBeSynced }
    let arranging = Arranging(syncs: syncs && !isMany)
    // The first file of an image in a group finds the others there.
    for entry in wanted.map({ entries[$0] }) {
      arranging.learn(entry.digest?.digest, of: entry.item.box.job.specification, named: entry.name)
    }
    for index in wanted {
      do throws(Failure) {
        let entry = entries[index]
        entries[index].partial = try arranging.finish(
          entry.item.box.job.specification, entry.arrangements, named: entry.name)
      } catch {
        entries[index].result = .unfinished(error)
      }
    }
    guard isMany else { return }
    for (volume, (destination, _)) in volumes {
      do throws(Failure) { try destination.syncVolume() } catch {
        for index in wanted where entries[index].isOpen && entries[index].destination.volume == volume {
          entries[index].result = .unfinished(error)
        }
      }
    }
  }

  /// Notes which images stay incomplete, because no job fetches what is missing: its job was removed, for example.
  mutating func notePartialImages(_ store: any JobStoring) async {
    var (fetched, noted): (Set<String>, Set<String>) = ([], [])
    for index in entries.indices.reversed() where entries[index].isOpen {
      for image in entries[index].partial where !noted.contains(image.name) && fetched.isDisjoint(with: image.missing) {
        let file = entries[index].item.box.job.specification
        if let path = await PublishGroup.fetched(image.missing, file, store) {
          fetched.insert(path)
          continue
        }
        // The jobs of these files may have ended since the files were looked for.
        guard let left = entries[index].look(at: image),
          await PublishGroup.fetched(left.missing, file, store) == nil
        else { continue }
        noted.insert(image.name)
        let note = "\(image.name) is not complete: \(left.missing.first ?? "a file") is missing, and no job fetches it"
        entries[index].note = JobNote.adding(TextSafety.escaped(note), to: entries[index].note)
      }
    }
  }

  /// Returns the first of these paths that is the target of an unfinished job. If the store does not answer, all count as
  /// such targets.
  /// - Parameter file: The specification of a job for another file of the same place.
  private static func fetched(
    _ paths: [String], _ file: JobSpecification, _ store: any JobStoring
  ) async -> String? {
    var file = file
    for path in paths {
      file.directory = PathText.directory(of: path)
      do throws(Failure) {
        if try await store.targetOwner(PathText.name(of: path), of: file, besides: 0) != nil { return path }
      } catch {
        return path
      }
    }
    return nil
  }

  /// The number of files with links up to which their directories are synced one by one.
  private static let fewLinks = 8

  /// The records to store after the renames.
  var finished: [Finished] {
    entries.compactMap { entry in
      guard entry.isOpen else { return nil }
      var finished = Finished(
        id: entry.item.box.job.id, published: entry.identity, received: entry.identity.size, size: entry.identity.size,
        note: entry.note, digest: entry.digest, attempt: entry.item.facts.attempt)
      if !entry.arrangements.isEmpty { finished.arranged = entry.arrangements }
      return finished
    }
  }

  /// Removes and returns the files of jobs that were not completed, because they have other arrangements now.
  /// - Parameter jobs: The jobs of ``unheld(_:)``, as the store has them.
  mutating func takeRearranged(_ jobs: [Job], of runner: UUID) -> [Entry] {
    var again: [Entry] = []
    for job in jobs where job.state == .active && job.runner == runner {
      guard let index = entries.firstIndex(where: { $0.isOpen && $0.item.box.job.id == job.id }),
        entries[index].arrangements != job.specification.arrangements
      else { continue }
      var entry = entries.remove(at: index)
      entry.arrangements = job.specification.arrangements
      again.append(entry)
    }
    return again
  }

  /// The jobs with arrangements that the store did not complete.
  func unheld(_ held: Set<JobID>) -> [JobID] {
    entries.lazy.filter { $0.isOpen && !$0.arrangements.isEmpty }.map(\.item.box.job.id).filter { !held.contains($0) }
  }

  /// Takes the store's answer to ``finished``. A job that is missing from the answer has another owner, which may have
  /// published another file.
  mutating func end(_ held: Set<JobID>) {
    each { entry throws(Failure) in
      let id = entry.item.box.job.id
      if !held.contains(id) { throw Failure.leaseLost(id) }
    }
  }

  /// Ends all files that are not finished with this failure, except those whose jobs the store has completed.
  mutating func fail(_ failure: Failure, besides held: Set<JobID> = []) {
    for index in entries.indices where entries[index].isOpen && !held.contains(entries[index].item.box.job.id) {
      entries[index].result = .failed(failure)
    }
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
