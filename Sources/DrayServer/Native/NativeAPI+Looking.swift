// The calls that read jobs.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import Threads
internal import WebServer

extension NativeAPI {
  func facts(_ jobs: [JobSummary]) async throws(APIFailure) -> [JobFacts] {
    let live = jobs.contains { $0.state == .active } ? try await trying(manager.progress) : [:]
    let waits = try await trying(waitContext)
    return jobs.map { JobFacts($0, live: live[$0.id], names: settings.names, waits: waits, isFile: System.isFile) }
  }

  /// Returns the facts that explain why jobs wait. The limit on the number of jobs of one origin is that of the
  /// service's own runner.
  func waitContext() async throws(Failure) -> WaitContext {
    try await manager.waitContext(limit: settings.maxPerOrigin)
  }

  func jobs(_ window: JobsWindow) async throws(APIFailure) -> WebResponse {
    // The position is read first, so that changes during this call are reported afterwards.
    let cursor = try await trying(feed.cursor)
    let page = try await trying { () async throws(Failure) in
      try await manager.jobs.summaries(after: window.after, states: window.states, limit: window.limit + 1)
    }
    let facts = try await facts(Array(page.prefix(window.limit)))
    let counts = try await trying { () async throws(Failure) in try await manager.jobs.counts(ids: nil) }
    return NativeAPI.object { json in
      json.array("jobs", facts) { json, job in json.object(job.writeFields) }
      json.object("counts") { NativeAPI.write(counts, to: &$0) }
      json.field("next", page.count > window.limit ? facts.last?.id : nil)
      json.field("cursor", cursor.description)
    }
  }

  static func write(_ counts: [JobState: Int], to json: inout JSONText) {
    for state in JobState.allCases { json.field(state.rawValue, counts[state] ?? 0) }
  }

  func queue() async throws(APIFailure) -> WebResponse {
    let jobs = try await waiting()
    return NativeAPI.object { json in json.array("ids", jobs) { $0.value($1.id) } }
  }

  /// Returns the waiting jobs in the order of the queue.
  func waiting() async throws(APIFailure) -> [JobSummary] {
    var waiting: [JobSummary] = []
    var page: [JobSummary] = []
    repeat {
      let last = page.last?.id ?? 0
      page = try await trying { () async throws(Failure) in
        try await manager.jobs.summaries(after: last, states: [.queued, .paused, .interrupted], limit: 1000)
      }
      waiting += page
    } while page.count == 1000
    waiting.sort { ($1.priority, $0.rank, $0.id) < ($0.priority, $1.rank, $1.id) }
    return waiting
  }

  func found(_ id: JobID) async throws(APIFailure) -> Job {
    let job = try await trying { () async throws(Failure) in try await manager.jobs.job(id) }
    guard let job else { throw .noJob(id) }
    return job
  }

  func job(_ id: JobID) async throws(APIFailure) -> WebResponse {
    let job = try await found(id)
    let details = try await trying { () async throws(Failure) in
      let facts = JobFacts(
        job, after: try await manager.jobs.prerequisites(of: id), hold: try await manager.hold(on: job),
        live: try await manager.progress()[id], names: settings.names, waits: try await waitContext(),
        isFile: System.isFile)
      return JobDetails(job: job, facts: facts, attempts: try await manager.jobs.attempts(of: id))
    }
    return NativeAPI.json { $0 = details.json }
  }

  /// Returns a job in the form that it has in a list.
  func line(_ id: JobID) async throws(APIFailure) -> WebResponse {
    let found = try await trying { () async throws(Failure) in try await manager.jobs.summaries(ids: [id]) }
    guard let facts = try await facts(found).first else { throw .noJob(id) }
    return NativeAPI.object { facts.writeFields(to: &$0) }
  }

  func parts(_ id: JobID) async throws(APIFailure) -> WebResponse {
    let job = try await found(id)
    let live =
      job.state == .active ? try await trying { () async throws(Failure) in try await manager.progress()[id] } : nil
    let parts = ShownParts(job, live: live)
    return NativeAPI.object { json in
      json.field("size", parts.size)
      json.array("done", parts.done) { json, segment in NativeAPI.write(segment, to: &json) }
      json.array("fetching", parts.fetching) { json, segment in
        json.object { json in
          json.key("range")
          NativeAPI.write(segment, to: &json)
          json.field("source", String?.none)
        }
      }
    }
  }

  private static func write(_ segment: Segment, to json: inout JSONText) {
    json.beginArray()
    json.value(segment.lowerBound)
    json.value(segment.upperBound)
    json.endArray()
  }

  /// Returns the free space in a directory. If a disk does not answer, such as one of a server that cannot be reached,
  /// no other call has to wait for it.
  func space(_ text: String?) async throws(APIFailure) -> WebResponse {
    let directory = resolved(text)
    guard let place = settings.rule.directories.place(directory) else {
      throw NativeAPI.forbidden(directory: directory)
    }
    let (answers, answer) = AsyncStream.makeStream(of: Int64?.self)
    if place.traits.holdsFiles {
      disk.start { () -> Void in
        // A folder that does not exist yet is created with its first file, so an existing folder above it is asked.
        var path = place.path
        while System.kind(path) == .missing, path != "/" { path = PathText.directory(of: path) }
        answer.yield(System.freeSpace(path))
      }
      Task {
        try? await Task.sleep(for: .seconds(2))
        answer.yield(nil)
      }
    } else {
      answer.yield(nil)
    }
    let free = await answers.first { _ in true } ?? nil
    return NativeAPI.object { $0.field("free", free) }
  }

  func probe(_ text: String) async throws(APIFailure) -> WebResponse {
    let wanted = try JobOrder(url: text).specification(base: settings.directory)
    let job = try judging { (clients) throws(Failure) in try clients.rule.permitted(wanted) }
    let report = try await trying { () async throws(Failure) in
      try await DownloadManager.probe(job.request, knowing: manager, hosts: manager.hosts)
    }
    return NativeAPI.json { $0 = HeadJSON.line(report, url: job.request.url) }
  }
}
