// Finds the interrupted job for which a requested URL is a new link.

internal import DrayStore

extension DownloadManager {
  /// Only the newest interrupted jobs are compared.
  private static let mostCompared = 1000

  /// Returns the jobs to which a new link may be given.
  /// - Throws: Kind `store`.
  package func interruptedJobs() async throws(Failure) -> [Job] {
    try await refresh()
    let ids = try await store.ids(states: [.interrupted, .paused])
    return try await store.jobs(ids: Array(ids.suffix(DownloadManager.mostCompared)))
  }

  /// Returns the job for which a download's URL is a new link. The job either has the same target as the download; or
  /// it has the same file name, and the server's answer has the job's length and one of its validators.
  /// ``setURL(_:_:user:keepingCredentials:for:adding:)`` then gives the link to the job.
  /// - Parameter hosts: Additional settings for requests to some hosts.
  /// - Returns: `nil` if there is no such job, or if an unfinished job has the URL.
  /// - Throws: Kind `store`. It is no failure if the server does not answer.
  package func job(
    toContinueWith specification: JobSpecification, among jobs: [Job], hosts: HostRules = HostRules()
  ) async throws(Failure) -> Job? {
    let matches = jobs.compactMap { job in NewLinkRule.match(specification, job).map { (job: job, match: $0) } }
    guard !matches.isEmpty else { return nil }
    let own = try await store.find(specification.key)
    if let own, !own.state.isFinished { return nil }
    if let same = matches.last(where: { $0.match == .target }) { return same.job }
    guard let facts = try? await DownloadManager.probe(specification.request, knowing: self, hosts: hosts).facts else {
      return nil
    }
    return matches.last { NewLinkRule.isSameVersion($0.job.checkpoint, size: facts.size, facts.validators) }?.job
  }
}
