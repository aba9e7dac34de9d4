// Answers what the extension asks about jobs: the list of its popup, and the stopped jobs that a link could continue.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import DrayWire

internal import struct FoundationEssentials.UUID

extension NativeMessagingHost {
  /// The maximum numbers of active, waiting and ended jobs in an answer.
  private static let (mostActive, mostWaiting, mostEnded) = (200, 200, 100)

  func list(_ id: BrowserMessageID?) async throws(BrowserProblem) -> BrowserAnswer {
    guard let manager = try await looked() else {
      return BrowserAnswer(to: id) { $0.array("jobs", [Int]()) { _, _ in } }
    }
    let facts = try await trying { () async throws(Failure) in
      func newest(_ states: Set<JobState>, _ limit: Int) async throws(Failure) -> [JobSummary] {
        try await manager.jobs.newest(states: states, idsBeginningWith: "", limit: limit)
      }
      var jobs = try await newest([.active], NativeMessagingHost.mostActive)
      let live = jobs.isEmpty ? [:] : try await manager.progress()
      jobs += try await newest([.queued, .interrupted, .paused], NativeMessagingHost.mostWaiting)
      jobs += try await newest([.complete, .failed], NativeMessagingHost.mostEnded)
      return jobs.map { JobFacts($0, live: live[$0.id], names: settings.names, isFile: { _ in false }) }
    }
    return BrowserAnswer(to: id) { json in
      json.array("jobs", facts) { json, job in
        json.object { json in
          json.field("job", job.uuid)
          json.field("number", job.id)
          json.field("name", NativeMessagingHost.name(job))
          json.field("state", job.state.rawValue)
          json.field("bytes", job.received)
          json.field("size", job.size)
          json.field("rate", job.rate.map { Int64($0) })
          json.field("message", job.failure.map { TextSafety.escaped($0.reason).start(500) })
        }
      }
    }
  }

  private static func name(_ job: JobFacts) -> String {
    if let target = job.target { return PathText.name(of: target) }
    return (try? RequestURL.parse(job.url)).map { FileName.fromURLPath($0.url.path) } ?? FileName.fallback
  }

  /// The maximum number of jobs in the answer to `matches`.
  private static let mostMatches = 20
  /// Only the newest stopped jobs are compared.
  private static let mostCompared = 1000

  func matches(
    _ id: BrowserMessageID?, _ url: RequestURL, _ name: String?, _ size: Int64?
  ) async throws(BrowserProblem) -> BrowserAnswer {
    var found: [NewLinkRule.Candidate] = []
    if let manager = try await looked() {
      let jobs = try await trying { () async throws(Failure) in
        let ids = try await manager.jobs.ids(states: [.interrupted, .paused, .failed])
        return try await manager.jobs.jobs(ids: Array(ids.suffix(NativeMessagingHost.mostCompared)))
      }
      found = NewLinkRule.candidates(for: url, name: name, size: size, among: jobs)
    }
    return BrowserAnswer(to: id) { json in
      json.array("matches", Array(found.prefix(NativeMessagingHost.mostMatches))) { json, one in
        json.object { json in
          json.field("job", one.job.uuid.uuidString)
          json.field("number", one.job.id)
          json.field("name", NativeMessagingHost.name(one.job))
          json.field("state", one.job.state.rawValue)
          json.field("bytes", one.job.checkpoint.segments.count)
          json.field("size", one.job.checkpoint.size)
          json.field("message", one.job.failure.map { TextSafety.escaped($0.reason).start(500) })
          json.field("certain", one.isCertain)
        }
      }
    }
  }
}
