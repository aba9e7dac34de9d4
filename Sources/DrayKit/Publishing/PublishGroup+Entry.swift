// Publishes one file of a group: examines the file's content, and gives the file its name.

internal import DrayEngine
internal import DrayStore

extension PublishGroup {
  struct Entry: Sendable {
    var item: PublishItem
    /// The identity of the file, set when the file was verified.
    var identity = FileIdentity(device: 0, inode: 0, size: 0, modified: 0)
    var name: String
    var note: String?
    var digest: SourcedDigest?
    /// The arrangements for the published file.
    var arrangements: [SourceArrangement] = []
    /// The images of the file that are not complete yet.
    var partial: [Arranging.PartialImage] = []
    /// A description of the content if it is a page in place of the file. The page is saved under another name.
    var page: String?
    /// Whether the new name is durable.
    var isDurable = false
    /// Existing names at the destination that the file must avoid.
    var taken: Set<String> = []
    var result: PublishResult?

    var isOpen: Bool { result == nil }
    var destination: any Destination { item.publication.part.destination }
    var volumeCanBeSynced: Bool { destination.volume.canBeSynced }

    /// Describes the object to its destination. Call this once.
    func describe() {
      guard destination.traits.bindsName else { return }
      let job = item.box.job
      var description = ObjectDescription(job, item.facts.response ?? job.response)
      if let digest = digest?.digest, digest.algorithm == .sha256 { description.sha256 = digest.hex }
      item.publication.part.willBe(name, description)
      item.publication.part.willHold(item.sums, digest?.digest)
    }

    /// Looks once more whether the files of an image are there, and completes the image if they are.
    /// - Returns: What is still missing; `nil` if nothing is.
    func look(at image: Arranging.PartialImage) -> Arranging.PartialImage? {
      let arrangements = arrangements.filter { if case .image(let one) = $0 { one.name == image.name } else { false } }
      do throws(Failure) {
        return try Arranging().finish(item.box.job.specification, arrangements, named: name).first
      } catch {
        return image
      }
    }

    /// Returns the result for a file whose name was refused.
    /// - Parameter group: The jobs that are published together with this one; they end before the next group begins.
    func answer(to refusal: Failure, in group: Set<JobID>) -> PublishResult {
      switch refusal.clashAnswer(item.box.job.specification.options.onConflict) {
      case .skip?: .skipped(path: PathText.join(destination.path, name))
      case .wait?: refusal.owner.map { group.contains($0.job) } ?? false ? .next : .busy(refusal)
      case .refuse?, .rename?, nil: .failed(refusal)
      }
    }

    /// Compares a small file with its known digests, before any of it is on disk.
    /// - Returns: Whether the file may be published.
    mutating func prove() -> Bool {
      do throws(Failure) {
        let (proof, doubt) = try item.prove()
        digest = proof
        if let doubt { note = JobNote.adding(doubt, to: note) }
        return true
      } catch {
        result = error.kind == .integrity ? .mismatched(error) : .failed(error)
        return false
      }
    }

    /// Examines the content, and notes anything unusual about it.
    /// - Returns: A description of the content if it is a page in place of the file; otherwise `nil`.
    mutating func look() throws(Failure) -> String? {
      let head = (item.facts.response ?? item.box.job.response)?.head
      switch try item.publication.content(of: item.box.job.specification, named: name, head) {
      case .fine, .wrong: return nil
      case .odd(let oddity): note = JobNote.adding(oddity, to: note)
      case .page(let what): return what
      }
      return nil
    }

    /// Renames a local part file to its target if the name is free and no file is to be replaced.
    /// - Returns: Whether the publish is finished; if not, ``rename(isHalted:_:)`` decides.
    mutating func renamedToFreeName(leaseIsOver: () -> Bool) -> Bool {
      guard item.box.job.specification.options.onConflict != .overwrite, !leaseIsOver(),
        let destination = destination as? any DirectDestination
      else { return false }
      do throws(Failure) {
        return take(try destination.publish(item.publication.part.publishable, as: name, .nothing))
      } catch {
        result = .failed(error)
        return true
      }
    }

    /// Renames the part file to its target, or to a free name if the policy wants that.
    mutating func rename(
      isHalted: @escaping @Sendable () -> Bool,
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
        // Check again, because only files may be replaced.
        let replaces =
          policy == .overwrite && !isGuarded ? try mayReplaceAnything() : false
        if try await rename(replacing: replaces ? .anything : .nothing) { return }
        tries += 1
        // Do not block the thread: it publishes other files as well.
        try await destination.prefetch(name)
        switch try Conflict.look(box.job.specification, at: name, in: destination, addedAt: box.job.addedAt) {
        case .replaces:
          // Try to replace the adopted file, whose bytes are contained in this file.
          if try await rename(replacing: Conflict.replacement(box.job, named: name)) { return }
        case .none where isGuarded:
          // Try to replace the compared file. No other file may be replaced, and this one may no longer exist.
          if try await rename(replacing: Conflict.replacement(box.job, named: name)) { return }
        case .none where policy == .rename:
          let search = NameSearch(
            specification: box.job.specification, destination: destination, isOver: isHalted)
          repeat {
            let isStopped = destination.traits.asksServer && isHalted()
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

    /// Records a name before the file gets it.
    /// - Returns: The refusal, if the name is the target of another unfinished job (N8).
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

    /// Whether the name does not belong to a device, a pipe or a socket.
    private func mayReplaceAnything() throws(Failure) -> Bool {
      destination.traits.holdsFiles ? try destination.occupant(of: name) != .special : true
    }

    func renamed(
      leaseIsOver: () -> Bool, isHalted: @escaping @Sendable () -> Bool,
      _ record: (PublishIntent) async throws(Failure) -> PublishPermit
    ) async -> Entry {
      var entry = self
      // Once the run is stopped, do not begin another object.
      if destination.traits.asksServer, isHalted() {
        entry.result = .stopped
        return entry
      }
      do throws(Failure) {
        guard !leaseIsOver() else { throw Failure.leaseLost(item.box.job.id) }
        try await entry.rename(isHalted: isHalted, record)
      } catch {
        // Recovery proves objects that could not be read back, and objects that may exist because the run was stopped
        // before the bucket answered.
        let isMade = item.publication.part.publishable.publishedIdentity != nil && error.kind != .integrity
        let isUnknown = destination.traits.asksServer && isHalted() && error.recovery == .retry
        let isStopped = !isMade && error.isUploadStopped
        entry.result = isStopped ? .stopped : isMade || isUnknown ? .unfinished(error) : .failed(error)
      }
      return entry
    }

    /// Whether the existing file has the same bytes.
    private func isEqual() throws(Failure) -> Bool {
      let size = item.publication.size
      guard item.publication.part.isReadable,
        try Conflict.mayBeEqual(item.box.job.specification, at: name, in: destination, size: size),
        let there = try? destination.openTarget(name)
      else { return false }
      return try FileHashing.areEqual(item.publication.part, there, size: size)
    }

    /// Renames the file, and returns whether that was possible.
    private mutating func rename(replacing replacement: Replacement) async throws(Failure) -> Bool {
      take(try await destination.publish(item.publication.part.publishable, as: name, replacement))
    }

    /// Takes over an outcome, and returns whether publishing was possible.
    private mutating func take(_ outcome: PublishOutcome) -> Bool {
      let part = item.publication.part.publishable
      guard case .done(let notes) = outcome else { return false }
      if let published = part.publishedIdentity { identity = published }
      digest = part.provedDigest ?? digest
      for remark in notes { note = JobNote.adding(remark, to: note) }
      return true
    }

    /// The maximum number of tries for one name. If a file system derives inode numbers from paths, an exchanged file
    /// is never recognized, so that each exchange is undone.
    private static let mostTries = 8
  }
}
