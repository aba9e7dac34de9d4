// Changes of existing jobs by clients: another link, and starting over.

internal import DrayCore
internal import DrayKit
internal import DrayStore

/// A link that a client gives a job. The job is judged before anything changes (P22).
struct ClientLink: Sendable {
  private let url: RequestURL
  private let user: RequestURL.UserInfo?
  private let adding: @Sendable (inout TransferRequest) -> Void
  private let job: Job
  /// The job as the client may have it.
  private let own: JobSpecification
  private let rule: OutsideRule

  /// - Parameter adding: Adds what the client gives together with the URL.
  /// - Throws: Kind `usage` if the client may not have such a job.
  init(
    _ url: RequestURL, user: RequestURL.UserInfo?, for job: Job, _ clients: ClientJobs,
    adding: @escaping @Sendable (inout TransferRequest) -> Void = { _ in }
  ) throws(Failure) {
    var wanted = job.specification
    wanted.request = wanted.request.moved(to: url)
    if let user { wanted.request.takeUser(user.user, user.password) }
    adding(&wanted.request)
    own = try clients.changed(wanted, from: job.specification)
    (self.url, self.user, self.adding, self.job, rule) = (url, user, adding, job, clients.rule)
  }

  /// Gives the job the link. The directory, the options, and the rule on private addresses apply before the job gets the
  /// URL of a client.
  func give(_ manager: DownloadManager) async throws(Failure) -> DownloadManager.URLChange {
    var wanted = job.specification
    (wanted.directory, wanted.foreignDepth) = (own.directory, own.foreignDepth)
    (wanted.options, wanted.request.deniesPrivate) = (own.options, own.request.deniesPrivate)
    if wanted != job.specification { _ = try await manager.change([JobRevision(job, wanted)], isForClient: true) }
    return try await manager.setURL(job.id, url, user: user, for: rule, adding: adding)
  }
}

extension ClientJobs {
  /// Starts jobs from the beginning, if the client is permitted to do so.
  func startOver(
    _ ids: [JobID], _ manager: DownloadManager
  ) async throws(Failure) -> [DownloadManager.ControlOutcome] {
    var refused: [JobID: ControlResult] = [:]
    var revisions: [JobRevision] = []
    for job in try await manager.jobs.jobs(ids: ids) {
      do throws(Failure) {
        let begun = try begun(job.specification)
        guard begun != job.specification else { continue }
        let revision = JobRevision(job, begun)
        if let objection = ChangeRule.objection(to: revision) { throw objection }
        revisions.append(revision)
      } catch {
        refused[job.id] = .refused(error.reason, advice: error.advice)
      }
    }
    if !revisions.isEmpty { _ = try await manager.change(revisions, isForClient: true) }
    return try await manager.retry(ids.filter { refused[$0] == nil }) + refused.map { ($0.key, $0.value) }
  }
}
