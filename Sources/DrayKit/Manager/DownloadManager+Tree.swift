// Directories: what is below one, and what of it is here already.

public import DrayCore
public import DrayDocuments
internal import DrayEngine
internal import DrayStore

extension DownloadManager {
  /// Walks the directories below that of a plan, and hands the files on as they are found. Queues nothing.
  /// - Parameters:
  ///   - found: gets the files of one listing after the other, and is waited for. What it throws ends the walk.
  ///   - failed: receives what could not be read; the rest goes on.
  /// - Throws: ``DrayCore/Failure`` if the first directory cannot be listed; what `found` throws; `CancellationError`.
  public func walk(
    _ plan: TreePlan, found: @Sendable ([TreeFile]) async throws -> Void,
    failed: @escaping @Sendable (Failure) async -> Void
  ) async throws -> TreeReport {
    let (hold, cookies) = try await desk.run { [home] () async throws(Failure) in
      (try await self.engine(), try await CookieKeeper(home: home, store: nil).given(for: plan.request))
    }
    defer { withExtendedLifetime(hold) {} }
    let walk = TreeWalk(
      plan, TreeSource(hold.engine, plan.request, cookies: cookies, seconds: plan.limits.listingSeconds), failed: failed
    )
    do { return try await walk.run(found) } catch let failure as Failure { throw failure.ofNoJob }
  }

  /// The URL that is asked for this one: a host that wants https is asked over https.
  public func asked(_ url: RequestURL) async throws(Failure) -> RequestURL {
    try await desk.run { () async throws(Failure) in try await self.engine().engine.asked(url) }
  }

  /// Which of these downloads are here already, unchanged as their listing proves: by number of the specification, its complete
  /// job and the path of its file. Nobody is asked.
  public func upToDate(
    _ files: [(facts: ListedFacts, specification: JobSpecification)]
  ) async throws(Failure) -> [Int: (job: JobID, path: String)] {
    try await desk.run { () async throws(Failure) in
      var directories: [DirectoryPlace: TargetDirectory?] = [:]
      var found: [Int: (job: JobID, path: String)] = [:]
      guard try await self.store.present(among: [.complete]).contains(.complete) else { return found }
      for (index, file) in files.enumerated() {
        let specification = file.specification
        guard
          let job = try await self.store.find(
            url: specification.request.url, directory: specification.directory, output: specification.output),
          job.state == .complete, let published = job.published, let name = job.fileName, let response = job.response,
          [200, 206].contains(response.head.status),
          specification.options.areProved(by: job.digest, size: published.size),
          file.facts.prove(response.head.validators, size: published.size)
        else { continue }
        let place = specification.place
        if directories[place] == nil { directories[place] = .some(try? TargetDirectory(place)) }
        guard let directory = directories[place] ?? nil, try await self.isAsPublished(job, name, in: directory) else {
          continue
        }
        found[index] = (job.id, Job.join(specification.directory, name))
      }
      return found
    }
  }
}
