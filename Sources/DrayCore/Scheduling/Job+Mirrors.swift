// Lets a single attempt see a job with several URLs as a job with one URL.

extension Job {
  /// Returns this job with the one URL whose turn it is.
  public func placed(at turn: MirrorChoice?) -> Job {
    let all = specification.options.mirrors ?? []
    guard !all.isEmpty else { return self }
    var placed = self
    if let turn = turn?.current, turn > 0, all.indices.contains(turn - 1) {
      placed.specification.request = specification.request.moved(to: all[turn - 1])
      placed.ownRequest = specification.request
      placed.ownName = FileName.fromURLPath(specification.request.url.path)
    }
    let source = response.map { $0.redirects.first ?? $0.finalURL.string }
    placed.checkpoint = MirrorChoice.checkpoint(
      checkpoint, isOfOther: source.map { $0 != placed.specification.request.url.string } ?? false,
      specification.options)
    return placed
  }
}

extension MirrorChoice {
  /// Creates the choice among a new job's URLs; `nil` if the job has no mirrors.
  package init?(_ options: JobOptions) {
    guard let count = options.mirrors?.count, count > 0 else { return nil }
    self.init(count: count + 1)
  }
}
