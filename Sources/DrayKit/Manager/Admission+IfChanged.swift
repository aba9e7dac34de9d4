// Downloads that fetch a file only if it has changed. The request contains the known facts about the target, so that
// later attempts compare with the same file.

internal import DrayEngine
internal import DrayStore

extension DownloadManager {
  struct Comparison {
    /// The specification, with the known facts about the target.
    var specification: JobSpecification
    /// The complete job that will compare its target with the server's file again; `nil` if there is none.
    var job: Job?
  }

  /// Returns what to compare; `nil` if the file is fetched in any case.
  func comparison(_ specification: JobSpecification, in destination: (any Destination)?) async throws(Failure)
    -> Comparison?
  {
    guard let policy = specification.request.cache, policy.ifChanged != nil else { return nil }
    guard specification.request.isSafe else {
      throw Failure(
        .usage, specification.request.url.description,
        "a \(TextSafety.escaped(specification.request.method)) does not depend on the local file",
        advice: "omit \(.ifChanged)")
    }
    let newest = try await store.find(specification.key)
    var known = newest.map(TargetBaseline.init(after:))
    var baseline = TargetBaseline(name: specification.output ?? known?.name)
    if let name = baseline.name { baseline.identity = try destination?.identity(of: name) }
    let published = newest.flatMap { $0.state == .complete && $0.published != nil ? $0 : nil }
    if let published, published.fileName == baseline.name, baseline.identity != known?.identity,
      let name = baseline.name, let destination, try await hasPublishedBytes(published, name, in: destination)
    {
      known?.identity = baseline.identity
    }
    if let known, baseline.identity == known.identity { baseline.learn(from: known, isPublished: published != nil) }
    if baseline.validators == nil, baseline.identity != nil, let name = baseline.name {
      baseline.validators = try destination?.facts(of: name)?.validators(ofSource: specification.request.url)
    }
    // Only without such facts, which describe the present object, the record of the earlier one counts.
    if baseline.validators == nil, let known { baseline.learn(from: known, isPublished: published != nil) }
    var specification = specification
    specification.request.cache?.ifChanged = baseline
    return Comparison(specification: specification, job: newest.flatMap { $0.state == .complete ? $0 : nil })
  }

  /// Whether a target has the bytes that a job published. Its time may be another one, for example after a restore, and
  /// some file systems change the numbers of files.
  private func hasPublishedBytes(
    _ job: Job, _ name: String, in destination: any Destination
  ) async throws(Failure) -> Bool {
    guard let published = job.published, let found = try destination.identity(of: name) else { return false }
    if found.isUnchanged(since: published) { return true }
    guard found.size == published.size, destination.traits.holdsFiles else { return false }
    let sums = try await store.sums(of: job.id)
    return try PublishedBytes(sums, job.digest, size: published.size).are(in: name, of: destination)
  }
}

extension TargetBaseline {
  /// The file that a job published is used, or else the one that the job's own request describes.
  init(after job: Job) {
    guard job.state == .complete, let published = job.published else {
      self = job.specification.request.cache?.ifChanged ?? TargetBaseline(name: job.fileName)
      return
    }
    // A 304 does not tell which version is on disk; it only tells that the version is not older.
    let brought = job.response.map { [200, 206].contains($0.head.status) } ?? false
    self.init(
      name: job.fileName, identity: published, validators: brought ? job.response?.head.validators : nil,
      digest: job.digest, digestSource: job.digestSource)
  }
}
