// Makes a directory match a manifest: examines the files on disk, decides, and records the result in the lock file.

package import DrayDocuments
internal import DrayEngine
internal import DrayStore
internal import Threads

/// A manifest and its lock file, in their directory.
package struct SyncSet: Sendable {
  /// A file of the manifest, and the decision about it.
  package struct Item: Sendable {
    /// The file.
    package var file: Manifest.File
    /// The decision about the file.
    package var decision: SyncDecision
    /// The file's entry in the lock file, as read.
    package var locked: SyncLock.Entry?
    /// Whether the file on disk is the one that dray published from the manifest's URL.
    package var isPublished = false
    /// Whether the file must have the version in the lock file.
    package var isPinned = false
    /// Whether the file on disk is right, and is fetched only if the server has another version.
    package var isUpdate = false
    /// The identity of the existing file that was compared; no other file may be replaced. `nil` if none was compared.
    package var seen: FileIdentity?
    /// The server of the source, if the source is an object.
    var source = ""
    /// The directory of the target; the manifest chose its part below the manifest's own directory.
    package var place: DirectoryPlace
    /// The absolute path of the directory.
    package var directory: String { place.path }
    /// The target's name.
    package var name: String
    /// The absolute path of the target.
    package var path: String { PathText.join(directory, name) }

    /// Whether the file is fetched.
    package var isWanted: Bool { if case .fetch = decision { true } else { false } }

    /// Whether the file is left out because another file of the manifest has the same name in the same directory.
    package var isLeftOut: Bool { if case .leftOut = decision { true } else { false } }

    /// The job for arranging a file that need not be fetched; `nil` if there is nothing to arrange.
    var arranged: JobSpecification? {
      guard let url = file.urls.first, let source = file.source, !source.arrangements.isEmpty else { return nil }
      var job = JobSpecification(request: TransferRequest(url: url), directory: place.path)
      apply(to: &job, isLocked: false)
      return job
    }

    /// Adds to a job what the manifest states about the file. With `isLocked`, size and digest come from the lock file
    /// instead.
    ///
    /// The job may replace only the file that was compared.
    package func apply(to job: inout JobSpecification, isLocked: Bool) {
      (job.directory, job.foreignDepth, job.output) = (place.path, place.foreignDepth, name)
      var offer = file.offer
      if isLocked || isPinned {
        (offer.size, offer.digest, offer.digestSource) = (locked?.size, locked?.digest, .lock)
      }
      offer.apply(to: &job)
      job.options.source = file.source
      // The manifest decides these settings, even if it leaves them out.
      job.state(["checksum", "checksum-source", "size", "pieces", "mirror"])
      job.options.onConflict = .fail
      job.options.replaces = decision == .fetch(replacing: true) ? seen : nil
      if isUpdate { job.request.cache = CachePolicy(ifChanged: TargetBaseline()) }
    }
  }

  /// Returns the directory and the name of a target. The target is below the manifest's directory, or in an object
  /// store.
  /// - Parameter directory: The manifest's directory, with the access to object stores.
  static func place(of target: String, in directory: DirectoryPlace) -> (directory: DirectoryPlace, name: String) {
    if let found = try? ObjectPlace.object(parsing: target) {
      return (DirectoryPlace(found.place.path, access: directory.access), found.name)
    }
    return (directory.appending(PathText.directory(of: target)), PathText.name(of: target))
  }

  /// The files to fetch.
  package var wanted: [Item] { items.filter(\.isWanted) }

  /// The files that are right already, and to which links or entries of images and snapshots lead.
  package var arranged: [Item] { items.filter { $0.decision == .right && $0.arranged != nil } }

  /// The files, in the manifest's order.
  package var items: [Item]
  /// The targets that are in the lock file but not in the manifest.
  package var surplus: [String]
  /// The versions of the manifest's names.
  package var pins: [SyncLock.Pin] = []
  /// The caches of the manifest, by their absolute directories.
  var caches: [(place: DirectoryPlace, cache: HubCache)] = []

  /// Examines and hashes the existing files, and decides.
  /// - Parameters:
  ///   - manifest: The wanted files.
  ///   - lock: The files after the last sync; `nil` for the first sync.
  ///   - directory: The directory of the manifest.
  ///   - server: The server of `s3` URLs; `nil` for the environment's server.
  ///   - mode: How the lock file is used.
  ///   - manager: The manager whose store may know files that dray published; `nil` for none.
  package static func compare(
    _ manifest: Manifest, _ lock: SyncLock?, in directory: DirectoryPlace, server: String? = nil,
    _ mode: SyncMode, _ manager: DownloadManager?
  ) async throws(Failure) -> SyncSet {
    try await BlockingExecutor("dray.sync").run { () async throws(Failure) in
      try await compareBlocking(
        manifest, lock, in: directory, server: server ?? self.server(of: manifest), mode, manager)
    }
  }

  /// Returns the environment's server for the `s3` URLs of a manifest; empty for Amazon's server.
  static func server(of manifest: Manifest) -> String {
    let url = manifest.files.lazy.flatMap(\.urls).first { $0.scheme == Scheme.s3.name }
    return url.flatMap { try? TransferRequest(url: $0).completed().signature?.server } ?? ""
  }

  private static func compareBlocking(
    _ manifest: Manifest, _ lock: SyncLock?, in directory: DirectoryPlace, server: String, _ mode: SyncMode,
    _ manager: DownloadManager?
  ) async throws(Failure) -> SyncSet {
    var items: [Item] = []
    let destinations = manager?.destinations ?? LocalDestinations(store: nil)
    let folding = directory.traits.holdsFiles ? try destinations.find(directory)?.folding ?? .none : .none
    let twins = SyncDecision.twins(manifest.files.map(\.target), folding)
    for (file, twin) in zip(manifest.files, twins) {
      let (place, name) = place(of: file.target, in: directory)
      var item = Item(
        file: file, decision: .right, locked: lock?[file.target], source: server, place: place, name: name)
      let (local, seen) = try await look(item, manager)
      item.seen = seen
      if case .file(_, _, let isPublished) = local { item.isPublished = isPublished }
      item.decision = SyncDecision.decide(file, lock: item.locked, local: local, mode)
      item.isPinned = mode == .usual && SyncDecision.pin(of: file, item.locked) != nil
      if mode == .update, item.decision == .right, file.digest == nil {
        (item.decision, item.isUpdate) = (.fetch(replacing: true), true)
      }
      if let twin {
        item.decision = .leftOut(
          "it has the same name here as \(twin): this directory does not tell \(folding.words) apart")
      }
      items.append(item)
    }
    let targets = Set(manifest.files.map(\.target))
    let caches = manifest.caches.map { one in
      (one.directory.isEmpty ? directory : directory.appending(one.directory), one.cache)
    }
    return SyncSet(
      items: items, surplus: (lock?.entries ?? []).map(\.target).filter { !targets.contains($0) },
      pins: manifest.pins, caches: caches)
  }

  /// Examines a target without following links.
  private static func look(
    _ item: Item, _ manager: DownloadManager?
  ) async throws(Failure) -> (TargetFile, FileIdentity?) {
    // A link in the path is reported as a failure (P6).
    let destinations = manager?.destinations ?? LocalDestinations(store: nil)
    guard let destination = try destinations.find(item.place), try destination.exists(item.name) else {
      return (.missing, nil)
    }
    // Read the identity first, so that a file that changes while it is read counts as a different one.
    guard let file = try destination.openTarget(item.name), let identity = try? file.identity() else {
      return (.other, nil)
    }
    let job = try await manager?.published(item)
    // An object whose ETag is unchanged need not be read.
    if let size = job?.published?.size, let digests = job.flatMap({ recorded($0, item, identity) }) {
      return (.file(size: size, digests: digests, isPublished: true), identity)
    }
    let algorithms = Set([.sha256, item.file.digest?.algorithm].compactMap(\.self))
    let digests = try FileHashing.digests(Array(algorithms), file, identity.size) { false }
    var isPublished = job?.published.map(identity.isUnchanged) ?? false
    if let manager, let job, !isPublished {
      isPublished = try await manager.isAsPublished(job, item.name, in: destination)
    }
    return (.file(size: identity.size, digests: digests ?? [], isPublished: isPublished), identity)
  }

  fileprivate static func key(
    _ url: RequestURL, _ server: String, _ place: DirectoryPlace, _ name: String
  ) -> DownloadKey {
    DownloadKey(
      url: url.string, source: url.scheme == Scheme.s3.name ? server : "", directory: place.path, target: place.server,
      output: name)
  }

  /// Returns the recorded digests of an unchanged target, if reading the target would mean fetching it; `nil` if the
  /// digests do not suffice.
  private static func recorded(_ job: Job, _ item: Item, _ identity: FileIdentity) -> [DigestValue]? {
    guard item.place.traits.asksServer, let published = job.published, identity.isUnchanged(since: published),
      let digest = job.digest, digest.algorithm == .sha256, item.file.digest.map({ $0.algorithm == .sha256 }) ?? true
    else { return nil }
    return [digest]
  }

  /// Returns the contents of the lock file for the present files.
  /// - Throws: Kind `file` for a file that has disappeared.
  package func lock(_ manager: DownloadManager?) async throws(Failure) -> SyncLock {
    try await BlockingExecutor("dray.sync").run { () async throws(Failure) in try await makeLock(manager) }
  }

  private func makeLock(_ manager: DownloadManager?) async throws(Failure) -> SyncLock {
    var entries: [SyncLock.Entry] = []
    for item in items where !item.isLeftOut {
      guard case .file(let size, let digests, _) = try await SyncSet.look(item, manager).0,
        let digest = digests.first(where: { $0.algorithm == .sha256 })
      else {
        throw Failure(
          .file, item.path, "it disappeared, so no lock was written", advice: "run \(.sync) again")
      }
      var entry = SyncLock.Entry(
        target: item.file.target, url: SyncDecision.shown(item.file), size: size, digest: digest)
      if let declared = item.file.digest, declared.algorithm != .sha256 { entry.manifestDigest = declared }
      if let response = try await manager?.published(item)?.response {
        entry.finalURL = response.finalURL.description
        entry.etag = response.head.validators.etag
        entry.lastModified = response.head.validators.lastModified
      } else if let old = item.locked, old.digest == digest, old.url == entry.url {
        (entry.finalURL, entry.etag, entry.lastModified) = (old.finalURL, old.etag, old.lastModified)
      }
      entries.append(entry)
    }
    return SyncLock(entries, pins)
  }
}

extension DownloadManager {
  /// Returns the complete job with the item's target.
  func published(_ item: SyncSet.Item) async throws(Failure) -> Job? {
    guard let url = item.file.urls.first else { return nil }
    if let source = item.file.source {
      let job = try await store.completeJob(named: item.name, in: item.directory, at: item.place.server)
      return job?.specification.options.source?.isSameFile(as: source) ?? false ? job : nil
    }
    let job = try await store.find(SyncSet.key(url, item.source, item.place, item.name))
    return job?.state == .complete ? job : nil
  }

  /// Returns the jobs of a set whose targets exist although a crash kept their completion from being recorded. A run
  /// completes these jobs; until then, their targets look like other programs' files.
  /// - Parameter server: The server of `s3` URLs; `nil` for the environment's server.
  package func halfPublished(
    _ manifest: Manifest, in directory: DirectoryPlace, server: String? = nil
  ) async throws(Failure) -> [JobID] {
    try await executor.run { () async throws(Failure) in
      try await self.halfPublishedBlocking(manifest, in: directory, server ?? SyncSet.server(of: manifest))
    }
  }

  private func halfPublishedBlocking(
    _ manifest: Manifest, in directory: DirectoryPlace, _ server: String
  ) async throws(Failure) -> [JobID] {
    try await refresh()
    var ids: [JobID] = []
    for file in manifest.files {
      let (place, name) = SyncSet.place(of: file.target, in: directory)
      guard let url = file.urls.first,
        let job = try await store.find(SyncSet.key(url, server, place, name)),
        job.publishing != nil, [.queued, .interrupted].contains(job.state)
      else { continue }
      let sums = try await store.sums(of: job.id)
      guard case .renamed? = try? HalfPublished.look(job, destinations, sums: sums) else { continue }
      ids.append(job.id)
    }
    return ids
  }

  /// Prepares a directory before the jobs of a set are added. The jobs of files that will be fetched again are removed, so
  /// that they do not count as complete; files that are right already get their links and entries.
  package func prepare(_ set: SyncSet) async throws(Failure) {
    try await executor.run { () async throws(Failure) in
      for item in set.items where item.decision == .fetch(replacing: true) && !item.isUpdate {
        if let job = try await self.published(item) { _ = try await self.store.remove([job.id]) }
      }
      for (place, cache) in set.caches { try HuggingFaceCache(cache).prepare(in: place) }
      try self.arrange(set.arranged.compactMap(\.arranged))
    }
  }
}
