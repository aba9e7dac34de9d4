// A download that is made only if the file changed: what is known of its target is written into its request, so that the
// attempt can ask about just that, whenever it is made.

internal import DrayEngine
internal import DrayStore

extension DownloadManager {
  /// What becomes of a specification that is to be fetched only if it changed.
  struct Comparison {
    /// The specification, with what is known of the target.
    var specification: JobSpecification
    /// The complete job that is to look again, if any.
    var job: Job?
  }

  /// Looks up what is known of the target of `specification`; `nil` if it is to be fetched whatever is there.
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
    let newest = try await store.find(
      url: specification.request.url, directory: specification.directory, output: specification.output)
    let known = newest.map(TargetBaseline.init(after:))
    var baseline = TargetBaseline(name: specification.output ?? known?.name)
    baseline.identity = baseline.name.flatMap { destination?.identity(of: $0) }
    if let identity = baseline.identity, identity == known?.identity {
      (baseline.validators, baseline.digest) = (known?.validators, known?.digest)
    }
    var specification = specification
    specification.request.cache?.ifChanged = baseline
    return Comparison(specification: specification, job: newest.flatMap { $0.state == .complete ? $0 : nil })
  }
}

extension TargetBaseline {
  /// What a job knows of its target: what it published, or what it was to compare with.
  init(after job: Job) {
    guard job.state == .complete, let published = job.published else {
      self = job.specification.request.cache?.ifChanged ?? TargetBaseline(name: job.fileName)
      return
    }
    // Of a 304 it is unknown which version is here, only that it is not older.
    let brought = job.response.map { [200, 206].contains($0.head.status) } ?? false
    self.init(
      name: job.fileName, identity: published, validators: brought ? job.response?.head.validators : nil,
      digest: job.digest)
  }
}
