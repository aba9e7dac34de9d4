// Fetches the files of complete jobs again. A new job does that, as in aria2 when a URL is added a second time.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import WebServer

extension NativeAPI {
  /// Adds a new job for each of these complete jobs. Returns one result for each job, in the order of the jobs.
  func fetchAgain(_ ids: [JobID]) async throws(APIFailure) -> [ActionResult] {
    var results: [ActionResult] = []
    for id in ids { results.append(try await fetchAgain(id)) }
    return results
  }

  private func fetchAgain(_ id: JobID) async throws(APIFailure) -> ActionResult {
    let known = try await trying { () async throws(Failure) in try await manager.jobs.job(id) }
    guard let job = known else { return ActionResult(id: id, outcome: .unknown, message: "no such job") }
    if let objection = NativeAPI.objection(toFetchingAgain: job) {
      return ActionResult(id: id, outcome: .refused, message: objection)
    }
    do throws(Failure) {
      let again = try clients.again(NativeAPI.again(job.specification), of: job.specification)
      var entrance = Entrance(fetchesAgain: true)
      entrance.isForClient = true
      switch try await manager.admit([again], entering: entrance).first {
      case .job(let added): return ActionResult(id: id, outcome: .done, message: "job \(added.id) fetches it")
      case .alreadyComplete, .present, .skipped, nil:
        return ActionResult(id: id, outcome: .refused, message: "its file is there already")
      }
    } catch {
      if error.kind == .store { throw refused(error) }
      return ActionResult(id: id, outcome: .refused, message: error.message(settings.names))
    }
  }

  static func objection(toFetchingAgain job: Job) -> String? {
    guard job.state == .complete else { return "it is not complete" }
    return job.specification.request.isSafe ? nil : "its request may not be sent again"
  }

  /// Returns the specification of the new job. The settings that describe the old file are left out.
  static func again(_ specification: JobSpecification) -> JobSpecification {
    var again = specification
    again.options.onConflict = .rename
    (again.options.repairs, again.options.replaces, again.startAt) = (nil, nil, nil)
    again.options.adopts = nil
    again.options.seeding = nil
    again.options.moving = nil
    if let cache = again.request.cache {
      again.request.cache = cache.noCache ? CachePolicy(noCache: true) : nil
    }
    return again
  }
}
