// A queue in memory with a predictable runner: the end of a job's URL gives its outcome.

import DrayCore
import DrayStore
import Foundation

@testable import DrayServer

actor FakeQueue: Aria2Queue {
  nonisolated let directory: String
  nonisolated let session = "SESSION"
  nonisolated let home: String? = "/HOME"
  /// How many jobs are active at once; 0 leaves all of them waiting.
  private let slots: Int
  /// The jobs; waiting jobs are in the order of the queue.
  private(set) var jobs: [Aria2Job] = []
  private var specifications: [JobID: JobSpecification] = [:]
  private var kept: [JobID?: [String: String]] = [:]
  private var current = Aria2Limits(rate: nil, jobs: 1)
  private(set) var isStopped = false
  private(set) var changes = 0
  /// How often jobs were added.
  private(set) var steps = 0

  init(directory: String = "/DIR", slots: Int = 1) { (self.directory, self.slots) = (directory, slots) }

  static let size: Int64 = 3 * 1024 * 1024 + 7
  static let half: Int64 = 1536 * 1024

  // MARK: Looking

  func ids(_ list: Aria2Status.List) -> [JobID] { jobs.filter { $0.status.list == list }.map(\.id) }
  func ids(_ prefix: GID) -> [JobID] { jobs.filter { prefix.begins($0.gid) }.map(\.id) }
  func jobs(_ ids: [JobID], isWhole: Bool) -> [Aria2Job] { ids.compactMap { id in jobs.last { $0.id == id } } }
  func specification(of id: JobID) -> JobSpecification? { specifications[id] }

  // MARK: Commands

  /// Objects to URLs that end with `/barred-here`.
  nonisolated func objection(to addition: Aria2Addition) -> Failure? {
    let isBarred = addition.specification.request.url.string.hasSuffix("/barred-here")
    return isBarred ? Failure(.usage, "/DIR", "it is not allowed", recovery: .keep) : nil
  }

  func add(_ additions: [Aria2Addition], at place: Int?) throws(Failure) -> [GID] {
    steps += 1
    for addition in additions { if let objection = objection(to: addition) { throw objection } }
    for addition in additions where addition.specification.request.url.string.hasSuffix("/taken") {
      throw Failure(.file, "/DIR/taken", "it is taken", recovery: .keep)
    }
    var gids: [GID] = []
    for (offset, addition) in additions.enumerated() {
      changes += 1
      let id = JobID(changes)
      let gid = addition.gid?.text ?? String(format: "%016x", 0xfa4e_0000 + changes)
      var job = Job(
        id: id, uuid: FakeQueue.uuid(gid), specification: addition.specification, addedAt: Double(changes))
      job.state = addition.isPaused ? .paused : .queued
      gids.append(GID(uuid: job.uuid.uuidString))
      (specifications[id], kept[id]) = (addition.specification, addition.kept)
      insert(Aria2Job(job, live: nil), at: place.map { $0 + offset })
    }
    return gids
  }

  func pause(_ ids: [JobID]) -> Set<JobID> { set(ids, .paused) { $0 == .waiting || $0 == .active } }
  func resume(_ ids: [JobID]) -> Set<JobID> { set(ids, .waiting) { $0 == .paused } }

  func remove(_ ids: [JobID]) -> Set<JobID> {
    let active = jobs.filter { $0.status == .active }.map(\.id)
    _ = set(ids.filter(active.contains), .removed) { _ in true }
    jobs.removeAll { ids.contains($0.id) && !active.contains($0.id) }
    return Set(ids)
  }

  func forget(_ ids: [JobID]) { jobs.removeAll { ids.contains($0.id) } }
  func forgetStopped() { jobs.removeAll { $0.status.list == .stopped } }

  func move(_ id: JobID, to index: Int) {
    guard let place = jobs.firstIndex(where: { $0.id == id }) else { return }
    insert(jobs.remove(at: place), at: index)
  }

  func change(_ id: JobID, to specification: JobSpecification) {
    specifications[id] = specification
    guard let place = jobs.firstIndex(where: { $0.id == id }) else { return }
    var job = Job(id: id, uuid: UUID(), specification: specification, addedAt: 0)
    job.state = .paused
    let shown = Aria2Job(job, live: nil)
    (jobs[place].urls, jobs[place].path, jobs[place].directory) = (shown.urls, shown.path, shown.directory)
  }

  // MARK: All of it

  func limits() -> Aria2Limits { current }
  func set(_ limits: Aria2Limits) { current = limits }
  func keptOptions(of id: JobID?) -> [String: String] { kept[id] ?? [:] }
  func keep(_ options: [String: String], of id: JobID?) { kept[id] = options }
  func stop() { isStopped = true }

  // MARK: The runner

  /// Starts waiting jobs while there are free slots, and ends those that end at once.
  func run() {
    while ids(.active).count < slots, let place = jobs.firstIndex(where: { $0.status == .waiting }) {
      var job = jobs.remove(at: place)
      let name = job.urls.first.map { String($0.split(separator: "/").last ?? "") } ?? ""
      job.wasTried = true
      switch name {
      case "gone": job.fail(404)
      case "shut": job.fail(401)
      case "busy": job.fail(503)
      case "barred": job.fail(403)
      case "unreachable": job.failToConnect()
      default: job.receive(name == "held" ? FakeQueue.half : FakeQueue.size, name)
      }
      if job.status == .active { jobs.insert(job, at: 0) } else { jobs.append(job) }
    }
  }

  private static func uuid(_ gid: String) -> UUID {
    let digits = Array(gid)
    let text = "\(String(digits[..<8]))-\(String(digits[8..<12]))-\(String(digits[12...]))-8000-000000000000"
    return UUID(uuidString: text) ?? UUID()
  }

  /// Inserts a job into the waiting jobs.
  private func insert(_ job: Aria2Job, at index: Int?) {
    guard let index else { return jobs.append(job) }
    let waiting = jobs.indices.filter { jobs[$0].status.list == .waiting }
    guard waiting.indices.contains(index) else { return jobs.append(job) }
    jobs.insert(job, at: waiting[index])
  }

  private func set(_ ids: [JobID], _ status: Aria2Status, from: (Aria2Status) -> Bool) -> Set<JobID> {
    var done: Set<JobID> = []
    for index in jobs.indices where ids.contains(jobs[index].id) && from(jobs[index].status) {
      jobs[index].status = status
      (jobs[index].rate, jobs[index].connections) = (0, 0)
      done.insert(jobs[index].id)
    }
    return done
  }
}

extension Aria2Job {
  fileprivate mutating func fail(_ status: Int) {
    failure = Failure(.status, "http://host/", "the server answered \(status)", httpStatus: status)
    self.status = .error
  }

  fileprivate mutating func failToConnect() {
    failure = Failure(.network, "http://host/", "127.0.0.1:1 refused the connection")
    failure?.obstacle = .refusedPort
    status = .error
  }

  fileprivate mutating func receive(_ count: Int64, _ name: String) {
    (received, size, segments) = (count, FakeQueue.size, SegmentSet(0..<count))
    path = path ?? PathText.join(directory, name)
    status = count == size ? .complete : .active
    if status == .active { (rate, connections, currentURL) = (1000, 1, urls.first) }
  }
}
