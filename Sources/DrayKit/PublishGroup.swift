// The files of one group on their way, step by step; a file that fails at one step takes no part in the next.

internal import DrayEngine
internal import Foundation

/// A group of files and how far each has come.
struct PublishGroup {
  private struct Entry {
    var item: PublishItem
    var identity: FileIdentity?
    var name: String
    var result: PublishResult?

    var isOpen: Bool { result == nil }
    var directory: TargetDirectory { item.publication.part.directory }
  }

  private var entries: [Entry]

  init(items: [PublishItem]) {
    entries = items.map { Entry(item: $0, name: $0.fileName) }
  }

  /// Verifies length and place, and begins the write-back of all before any is waited for.
  mutating func prepare() {
    each { entry throws(Failure) in entry.identity = try entry.item.publication.prepare() }
  }

  /// Makes the bytes of all durable.
  mutating func sync() {
    each { entry throws(Failure) in try entry.item.publication.sync() }
  }

  /// What is to be recorded before the renames.
  var intents: [PublishIntent] {
    get throws(Failure) {
      var intents: [PublishIntent] = []
      for entry in entries where entry.isOpen {
        intents.append(try entry.item.intent(named: entry.name, identity: entry.identity))
      }
      return intents
    }
  }

  /// Goes on with these jobs only: the others are no longer this runner's.
  mutating func keep(_ held: Set<JobID>) {
    each { entry throws(Failure) in
      if !held.contains(entry.item.job.id) { throw Failure.leaseLost(entry.item.job.id) }
    }
  }

  /// Renames all, none over anything unless that was asked for.
  /// - Parameter record: records another name before it is tried; `false` where the job is no longer this runner's.
  ///   The identity stays the one of the first intent: to prepare the file again would give it another time.
  mutating func rename(_ record: (PublishIntent) throws(Failure) -> Bool) throws(Failure) {
    each { entry throws(Failure) in
      let job = entry.item.job
      let policy = job.specification.options.onConflict
      let mayReplace = job.specification.request.cache?.ifChanged != nil
      var replaces = policy == .overwrite && !mayReplace
      var number = 0
      while try !Publication.rename(
        entry.item.publication.part.name, to: entry.name, in: entry.directory, replacing: replaces)
      {
        switch Conflict.look(job.specification, at: entry.name, in: entry.directory, addedAt: job.addedAt) {
        case .none where mayReplace:
          replaces = true  // It is the file that was compared: only that one may be replaced.
        case .none where policy == .rename:
          repeat {
            number += 1
            entry.name = FileName.numbered(entry.item.fileName, number)
          } while entry.directory.exists(entry.name)
          let intent = try entry.item.intent(named: entry.name, identity: entry.identity)
          guard try record(intent) else { throw Failure.leaseLost(entry.item.job.id) }
        case .none, .upToDate:
          continue  // What was in the way has gone meanwhile.
        case .skip:
          entry.result = .skipped(path: Job.join(entry.directory.path, entry.name))
          return
        case .refuse(let failure):
          throw failure
        }
      }
    }
  }

  /// Makes the renames durable, once a directory.
  mutating func syncDirectories() {
    var synced: [String: Failure?] = [:]
    for index in entries.indices where entries[index].isOpen {
      let directory = entries[index].directory
      let failure: Failure?
      if let known = synced[directory.path] {
        failure = known
      } else {
        do throws(SystemError) {
          try directory.sync()
          failure = nil
        } catch {
          failure = error.failure(directory.path)
        }
        synced[directory.path] = .some(failure)
      }
      if let failure { entries[index].result = .unfinished(failure) }
    }
  }

  /// What is to be recorded at the end.
  var finished: [Finished] {
    entries.compactMap { entry in
      guard entry.isOpen, let identity = entry.identity else { return nil }
      return Finished(
        id: entry.item.job.id, published: identity, received: identity.size, size: identity.size,
        note: entry.item.note, digest: entry.item.digest, attempt: entry.item.attempt)
    }
  }

  /// Ends all that is still open with the same failure.
  mutating func fail(_ failure: Failure) {
    for index in entries.indices where entries[index].isOpen { entries[index].result = .failed(failure) }
  }

  /// What became of each, in the order they came.
  var results: [PublishResult] {
    entries.map { $0.result ?? .published(path: Job.join($0.directory.path, $0.name)) }
  }

  private mutating func each(_ step: (inout Entry) throws(Failure) -> Void) {
    for index in entries.indices where entries[index].isOpen {
      do throws(Failure) {
        try step(&entries[index])
      } catch {
        entries[index].result = .failed(error)
      }
    }
  }
}
