// Changes jobs for the extension: another link, and the buttons of its popup.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import DrayWire

internal import struct FoundationEssentials.UUID

extension NativeMessagingHost {
  func relink(
    _ id: BrowserMessageID?, _ text: String, _ download: BrowserDownload
  ) async throws(BrowserProblem) -> BrowserAnswer {
    try NativeMessagingHost.refusePost(download)
    let (manager, job) = try await found(text)
    let change = try await trying { () async throws(Failure) in
      let link = try ClientLink(download.url, user: download.user, for: job, clients) { download.put(into: &$0) }
      return try await link.give(manager)
    }
    try check(change.result, job.id)
    // The user wants the file now.
    if job.state == .paused { _ = try await trying { () async throws(Failure) in try await manager.resume([job.id]) } }
    let note = settings.start(manager)
    let now = try? await manager.jobs.job(job.id)
    // Kept bytes are compared with the server's file before they count (P2, P16).
    let kept = job.state == .failed ? 0 : job.checkpoint.segments.count
    return BrowserAnswer(to: id) { json in
      NativeMessagingHost.write(now ?? job, job.uuid.uuidString, job.id, to: &json)
      json.field("kept", kept)
      if let note { json.field("message", note) }
    }
  }

  func perform(
    _ id: BrowserMessageID?, _ act: BrowserOrder.Act, _ text: String
  ) async throws(BrowserProblem) -> BrowserAnswer {
    let (manager, job) = try await found(text)
    let outcomes = try await trying { () async throws(Failure) in
      switch act {
      case .pause: try await manager.pause([job.id])
      case .remove: try await manager.remove([job.id])
      case .resume: try await manager.resume([job.id])
      // Bytes that were received are kept: only a failed job starts over.
      case .retry:
        job.state == .failed ? try await clients.startOver([job.id], manager) : try await manager.resume([job.id])
      }
    }
    for outcome in outcomes where outcome.id == job.id { try check(outcome.result, job.id) }
    let note = act == .resume || act == .retry ? settings.start(manager) : nil
    return BrowserAnswer(to: id) { json in if let note { json.field("message", note) } }
  }

  private func found(_ text: String) async throws(BrowserProblem) -> (DownloadManager, Job) {
    let job: Job?
    let manager = try await looked()
    if let number = JobID(text) {
      job = try await trying { () async throws(Failure) in try await manager?.jobs.job(number) }
    } else if let uuid = UUID(uuidString: text) {
      job = try await trying { () async throws(Failure) in try await manager?.jobs.job(uuid: uuid) }
    } else {
      throw BrowserProblem(.invalid, "job is neither the number nor the UUID of a job")
    }
    guard let manager, let job else { throw BrowserProblem(.invalid, "no such job") }
    return (manager, job)
  }

  private func check(_ result: ControlResult, _ id: JobID) throws(BrowserProblem) {
    switch result {
    case .done, .asked: return
    case .unknown: throw BrowserProblem(.invalid, "no such job")
    case .refused(let reason, let advice):
      throw BrowserProblem(.refused, "job \(id): \(reason)", advice: advice?.naming(id).text(settings.names))
    }
  }
}
