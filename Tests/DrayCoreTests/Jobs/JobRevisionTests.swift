// Which jobs can be changed, the names they get, and the recovery of an interrupted part file move.

import DrayCore
import Foundation
import Testing

@Suite struct JobRevisionTests {
  private func job(
    _ state: JobState, output: String? = nil, fileName: String? = nil, _ change: (inout Job) -> Void = { _ in }
  ) throws -> Job {
    let specification = JobSpecification(
      request: TransferRequest(url: try url("http://h/f")), directory: "/d", output: output)
    var job = Job(id: 7, uuid: UUID(), specification: specification, addedAt: 1)
    (job.state, job.fileName) = (state, fileName ?? output)
    change(&job)
    return job
  }

  @Test(
    "waiting and stopped jobs can be changed",
    arguments: [
      (.queued, nil), (.paused, nil), (.interrupted, nil), (.failed, nil), (.active, "pause it first: pausing job 7"),
      (.complete, "it is complete"),
    ] as [(JobState, String?)])
  func states(_ state: JobState, _ part: String?) throws {
    let job = try job(state)
    var specification = job.specification
    specification.options.retries = 9
    let objection = ChangeRule.objection(to: JobRevision(job, specification))
    let said = objection?.message(.plain) ?? ""
    #expect((objection == nil) == (part == nil) && (part.map { said.contains($0) } ?? true), "\(said)")
  }

  @Test("window, rate and priority of an active job can be changed, and nothing else with them")
  func active() throws {
    let job = try job(.active)
    var specification = job.specification
    (specification.window, specification.priority) = (try TransferWindow.parse("01:00-07:00"), 3)
    specification.options.rateLimit = 500
    #expect(ChangeRule.objection(to: JobRevision(job, specification)) == nil)
    #expect(ChangeRule.objection(to: JobRevision(job, specification, after: [3])) != nil)
    specification.queue = "films"
    #expect(ChangeRule.objection(to: JobRevision(job, specification)) != nil)
  }

  @Test("a file that is being published or repaired keeps its place; all other settings can change")
  func place() throws {
    let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4)
    for isRepair in [false, true] {
      let job = try job(.interrupted, output: "f") {
        if isRepair { $0.specification.options.repairs = identity } else { $0.publishing = identity }
      }
      var other = job.specification
      other.options.retries = 9
      #expect(ChangeRule.objection(to: JobRevision(job, other)) == nil)
      other.directory = "/e"
      #expect(ChangeRule.objection(to: JobRevision(job, other)) != nil)
      other = job.specification
      other.output = "g"
      #expect(ChangeRule.objection(to: JobRevision(job, other)) != nil)
    }
  }

  @Test("changes by another process are not overwritten")
  func overtaken() throws {
    let before = try job(.queued)
    var specification = before.specification
    specification.options.retries = 9
    let revision = JobRevision(before, specification)
    #expect(ChangeRule.objection(to: revision, now: before) == nil)
    for change in [
      { $0.specification.priority = 3 }, { $0.attempts = 1 }, { $0.fileName = "x" }, { $0.state = .active },
    ] as [(inout Job) -> Void] {
      var now = before
      change(&now)
      #expect(ChangeRule.objection(to: revision, now: now) != nil)
    }
    // A stopped or paused job is still the same job.
    var paused = before
    paused.state = .paused
    #expect(ChangeRule.objection(to: revision, now: paused) == nil)
  }

  @Test(
    "the server names the file after the user withdraws a name; a fixed name stays",
    arguments: [
      ("f", nil, "g", "g"), ("f", nil, nil, nil), (nil, "s", nil, "s"), (nil, "s", "g", "g"), ("f", "f.1", "f", "f.1"),
    ] as [(String?, String?, String?, String?)])
  func names(_ output: String?, _ fixed: String?, _ new: String?, _ expected: String?) throws {
    let job = try job(.paused, output: output, fileName: fixed)
    var specification = job.specification
    (specification.output, specification.directory) = (new, "/e")
    #expect(JobRevision(job, specification).fileName == expected)
  }

  @Test(
    "an interrupted move: the directory of the job decides",
    arguments: [
      (false, true, false, .nothing), (false, true, true, .remove(from: "/new")),
      (false, false, true, .giveBack(from: "/new")), (false, false, false, .nothing), (true, true, false, .nothing),
      (true, true, true, .remove(from: "/old")), (true, false, true, .giveBack(from: "/old")),
    ] as [(Bool, Bool, Bool, Rule)])
  func cutOff(_ isCommitted: Bool, _ isHere: Bool, _ isThere: Bool, _ rule: Rule) {
    let move = PartMove(from: DirectoryPlace("/old"), to: DirectoryPlace("/new"), state: .paused)
    let decided = PartMoveRule.decide(
      move, place: isCommitted ? move.to : move.from, isHere: isHere, isThere: isThere)
    #expect(decided == rule.value)
  }

  /// A rule in short form.
  enum Rule: Sendable {
    case nothing
    case remove(from: String)
    case giveBack(from: String)

    var value: PartMoveRule {
      switch self {
      case .nothing: .nothing
      case .remove(let path): .remove(from: DirectoryPlace(path))
      case .giveBack(let path): .giveBack(from: DirectoryPlace(path))
      }
    }
  }
}

@Suite struct AskedAgainRuleTests {
  private func job(_ failure: Failure?, _ state: JobState = .failed) throws -> Job {
    let specification = JobSpecification(
      request: TransferRequest(url: try url("http://h/f")), directory: "/d", output: "f")
    var job = Job(id: 7, uuid: UUID(), specification: specification, addedAt: 1)
    (job.state, job.failure) = (state, failure)
    return job
  }

  @Test(
    "a failed job that is asked for again is one job; where a new one is wanted, only what its server refused",
    arguments: [
      (.authentication, 401, true), (.authentication, 403, true), (.authentication, 407, true),
      (.authentication, nil, true), (.status, 404, false), (.integrity, nil, false), (.network, nil, false),
    ] as [(Failure.Kind, Int?, Bool)])
  func failures(_ kind: Failure.Kind, _ status: Int?, _ isRefusal: Bool) throws {
    var job = try job(Failure(kind, "u", "r", httpStatus: status))
    var now = job.specification
    now.request.credentials = Credentials(user: "ann", password: "right")
    // Its password may be in a file.
    for specification in [now, job.specification] {
      #expect(AskedAgainRule.isRepetition(specification, of: job))
      #expect(AskedAgainRule.isRepetition(specification, of: job, wantsNew: true) == isRefusal)
    }
    job.group = GroupLabel(id: 1, name: "g")
    #expect(AskedAgainRule.isRepetition(now, of: job) == isRefusal)
    job.group = nil
    now.group = JobGroup(url: try url("http://h/"), directory: "/d")
    #expect(AskedAgainRule.isRepetition(now, of: job) == isRefusal)
  }

  @Test("another URL, directory, name, body or start time is another download")
  func others() throws {
    let refused = try job(Failure(.authentication, "u", "r", httpStatus: 401))
    for change in [
      { $0.request.url = try url("http://h/g") }, { $0.directory = "/e" }, { $0.output = "g" }, { $0.output = nil },
      { $0.request.method = "POST" }, { $0.after = [1] }, { $0.startAt = 5 },
    ] as [(inout JobSpecification) throws -> Void] {
      var now = refused.specification
      try change(&now)
      #expect(!AskedAgainRule.isRepetition(now, of: refused))
    }
    for state in JobState.allCases where state != .failed {
      let other = try job(Failure(.authentication, "u", "r", httpStatus: 401), state)
      #expect(!AskedAgainRule.isRepetition(refused.specification, of: other))
    }
    #expect(!AskedAgainRule.isRepetition(refused.specification, of: try job(nil)))
  }
}
