// Walks directories on servers, and finds the files that are already on disk.

package import DrayCore
internal import DrayDocuments
internal import DrayEngine
internal import DrayStore
internal import Threads

/// Receives the results of a walk below a directory.
package protocol TreeReceiver: Sendable {
  /// The file at `path` is already on disk, unchanged.
  func foundUpToDate(_ path: String) async
  /// These jobs were admitted to the queue. If this call throws, the walk ends.
  func admitted(_ admissions: [Admission], _ jobs: [JobSpecification]) async throws
  /// A directory or a file failed; the walk continues with the others.
  func failed(_ failure: Failure) async
}

extension DownloadManager {
  /// Walks the directories below `tree`, and queues files that are not on disk or may have changed.
  /// - Parameters:
  ///   - tree: The directory and its limits.
  ///   - receiver: Receives the admitted jobs and the failures.
  ///   - job: Creates the job of a file.
  /// - Throws: `Failure` if the first directory cannot be listed or the job store cannot be used; errors of `receiver`;
  ///   `CancellationError`.
  package func queueTree(
    _ tree: TreeRequest, for receiver: some TreeReceiver, job: @escaping @Sendable (TreeFile) -> JobSpecification
  ) async throws -> TreeReport {
    try await walk(tree) { files in
      try await self.queue(files.map { (facts: $0.facts, specification: job($0)) }, for: receiver)
    } failed: { failure in
      await receiver.failed(failure)
    }
  }

  /// Returns how a directory compares names. If the directory does not exist, the nearest existing ancestor is used,
  /// because the directory will be created in it.
  package func folding(of place: DirectoryPlace) async throws(Failure) -> NameFolding {
    guard place.traits.holdsFiles else { return .none }
    return try await executor.run { [destinations] () throws(Failure) in
      DownloadManager.folding(of: place, destinations)
    }
  }

  /// Returns the same for a directory of this machine, without a job store.
  package static func foldingHere(_ place: DirectoryPlace) async throws(Failure) -> NameFolding {
    guard place.traits.holdsFiles else { return .none }
    return try await BlockingExecutor("dray.folding").run { () throws(Failure) in
      folding(of: place, LocalDestinations(store: nil))
    }
  }

  private static func folding(of place: DirectoryPlace, _ destinations: any Destinations) -> NameFolding {
    var place = place.alone
    while true {
      // If a directory cannot be used, the jobs will report it.
      if let found = try? destinations.find(place) { return found.folding }
      guard place.path != "/" else { return .none }
      place = place.parent
    }
  }

  private func queue(
    _ files: [(facts: ListedFacts, specification: JobSpecification)], for receiver: some TreeReceiver
  ) async throws {
    let known = try await upToDate(files)
    for (_, path) in known.sorted(by: { $0.key < $1.key }) { await receiver.foundUpToDate(path) }
    let wanted = files.enumerated().filter { known[$0.offset] == nil }.map(\.element.specification)
    guard !wanted.isEmpty else { return }
    do {
      try await receiver.admitted(try await admit(wanted), wanted)
    } catch let failure as Failure where failure.kind != .store {
      // A single bad file must not keep the other files out of the queue.
      guard wanted.count > 1 else { return await receiver.failed(failure) }
      for one in wanted {
        do {
          try await receiver.admitted(try await admit([one]), [one])
        } catch let failure as Failure where failure.kind != .store {
          await receiver.failed(failure)
        }
      }
    }
  }

  /// Walks the directories below `tree`, and passes on files as they are found, without queueing jobs.
  /// - Parameters:
  ///   - tree: The directory and its limits.
  ///   - found: Receives the files of each listing. The walk waits for this closure; an error of the closure ends the
  ///     walk.
  ///   - failed: Receives failures to read a directory or a file; the walk continues.
  /// - Throws: `Failure` if the first directory cannot be listed; errors of `found`; `CancellationError`.
  package func walk(
    _ tree: TreeRequest, found: @Sendable ([TreeFile]) async throws -> Void,
    failed: @escaping @Sendable (Failure) async -> Void
  ) async throws -> TreeReport {
    let (hold, cookies) = try await executor.run { [home] () async throws(Failure) in
      (try await self.engine(), try await CookieKeeper(home: home, store: nil).given(for: tree.request))
    }
    defer { withExtendedLifetime(hold) {} }
    let walk = TreeWalk(
      tree, TreeSource(hold.engine, tree.request, cookies: cookies, seconds: tree.limits.listingSeconds), failed: failed
    )
    do { return try await walk.run(found) } catch let failure as Failure { throw failure.ofNoJob }
  }

  /// Returns the URL to request for `url`: the https URL if the host requires https.
  package func asked(_ url: RequestURL) async throws(Failure) -> RequestURL {
    try await executor.run { () async throws(Failure) in try await self.engine().engine.asked(url) }
  }

  /// Returns, keyed by index, the paths of files that are on disk and unchanged according to their listing. No request
  /// is made.
  private func upToDate(
    _ files: [(facts: ListedFacts, specification: JobSpecification)]
  ) async throws(Failure) -> [Int: String] {
    try await executor.run { () async throws(Failure) in
      var destinations: [DirectoryPlace: (any Destination)?] = [:]
      var found: [Int: String] = [:]
      guard try await self.store.present(among: [.complete]).contains(.complete) else { return found }
      for (index, file) in files.enumerated() {
        let specification = file.specification
        guard
          let job = try await self.store.find(specification.key),
          job.state == .complete, let published = job.published, let name = job.fileName, let response = job.response,
          [200, 206].contains(response.head.status),
          FileDemands(of: specification, judging: job).areMet,
          file.facts.prove(response.head.validators, size: published.size)
        else { continue }
        let place = specification.place
        if destinations[place] == nil { destinations[place] = .some(try? self.destinations.find(place)) }
        guard let destination = destinations[place] ?? nil, try await self.isAsPublished(job, name, in: destination)
        else {
          continue
        }
        found[index] = PathText.join(specification.directory, name)
      }
      return found
    }
  }
}
