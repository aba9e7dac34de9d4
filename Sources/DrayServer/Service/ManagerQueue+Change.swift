// Changes a job's specification with calls of a manager. An active job takes some changes while it runs, and stops
// briefly for all others.

internal import DrayCore
internal import DrayKit
internal import DrayStore

extension ManagerQueue {
  func change(_ id: JobID, to wanted: JobSpecification) async throws(Failure) {
    try await changing { () async throws(Failure) in try await changeNow(id, to: wanted) }
  }

  private func changeNow(_ id: JobID, to wanted: JobSpecification) async throws(Failure) {
    guard var job = try await manager.jobs.job(id) else { throw ManagerQueue.gone(id) }
    var wanted = try rule.permitted(wanted, changing: job.specification)
    if wanted.request.url != job.specification.request.url {
      switch try await manager.setURL(id, wanted.request.url).result {
      case .done, .asked: break
      case .refused(let reason, let advice): throw Failure(.other, "job \(id)", reason, advice: advice, recovery: .keep)
      case .unknown: throw ManagerQueue.gone(id)
      }
      guard let moved = try await manager.jobs.job(id) else { throw ManagerQueue.gone(id) }
      job = moved
      // The request's secrets stay with its former origin (P7).
      wanted.request = moved.specification.request
    }
    if wanted.options.rateLimit != job.specification.options.rateLimit {
      _ = try await manager.jobs.setRateLimit(wanted.options.rateLimit, of: id)
      job.specification.options.rateLimit = wanted.options.rateLimit
    }
    guard wanted != job.specification else { return }
    guard job.state == .active else {
      _ = try await manager.change([JobRevision(job, wanted)])
      return
    }
    _ = try await manager.pause([id], patience: ManagerQueue.patience)
    do throws(Failure) {
      guard let stopped = try await manager.jobs.job(id) else { throw ManagerQueue.gone(id) }
      _ = try await manager.change([JobRevision(stopped, wanted)])
    } catch {
      _ = try await manager.resume([id])
      throw error
    }
    _ = try await manager.resume([id])
  }

  /// Seconds to wait for an active job to stop. A busy runner may need longer than people wait, and clients of an API
  /// expect the change.
  private static let patience = 30.0

  private static func gone(_ id: JobID) -> Failure {
    Failure(.other, "job \(id)", "it was just removed", recovery: .keep)
  }
}
