// Changes a job's specification through the download manager. An active job takes some changes while it runs; for any
// other change it stops briefly.

internal import DrayCore
internal import DrayKit
internal import DrayStore

extension ManagerQueue {
  func change(_ id: JobID, to wanted: JobSpecification) async throws(Failure) {
    try await changing { () async throws(Failure) in try await changeNow(id, to: wanted) }
  }

  private func changeNow(_ id: JobID, to wanted: JobSpecification) async throws(Failure) {
    guard var job = try await manager.jobs.job(id) else { throw ManagerQueue.gone(id) }
    var wanted = try clients.changed(wanted, from: job.specification)
    let url = wanted.request.url == job.specification.request.url ? nil : wanted.request.url
    if url != nil {
      // The request's secrets stay with the origin that they were given for (P7). The URL is set last, so that a
      // client's URL never gets rights that only the user has.
      let deniesPrivate = wanted.request.deniesPrivate
      wanted.request = job.specification.request
      wanted.request.deniesPrivate = deniesPrivate
    }
    if wanted.options.rateLimit != job.specification.options.rateLimit {
      _ = try await manager.jobs.setRateLimit(wanted.options.rateLimit, of: id)
      job.specification.options.rateLimit = wanted.options.rateLimit
    }
    guard job.state == .active, wanted != job.specification else { return try await apply(wanted, url, to: job) }
    _ = try await manager.pause([id], patience: ManagerQueue.patience)
    do throws(Failure) {
      guard let stopped = try await manager.jobs.job(id) else { throw ManagerQueue.gone(id) }
      try await apply(wanted, url, to: stopped)
    } catch {
      _ = try await manager.resume([id])
      throw error
    }
    _ = try await manager.resume([id])
  }

  private func apply(_ wanted: JobSpecification, _ url: RequestURL?, to job: Job) async throws(Failure) {
    if wanted != job.specification { _ = try await manager.change([JobRevision(job, wanted)], isForClient: true) }
    guard let url else { return }
    switch try await manager.setURL(job.id, url, for: clients.rule).result {
    case .done, .asked: break
    case .refused(let reason, let advice):
      throw Failure(.other, "job \(job.id)", reason, advice: advice, recovery: .keep)
    case .unknown: throw ManagerQueue.gone(job.id)
    }
  }

  /// The maximum number of seconds to wait until an active job has stopped. A busy runner may need longer than a person
  /// would wait, but clients of an API expect the change to be done.
  private static let patience = 30.0

  private static func gone(_ id: JobID) -> Failure {
    Failure(.other, "job \(id)", "it was just removed", recovery: .keep)
  }
}
