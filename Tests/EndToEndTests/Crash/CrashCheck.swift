// Invariants of the disk after a crash, and after the next run. Each finding begins with the broken promise.

import FaultServer
import Foundation

/// The result of the undisturbed run.
struct CrashReference: Sendable, Equatable {
  var jobs: [String] = []
  /// The store's health, version and schema.
  var store = ""
}

/// The store's claim about a part file.
struct CrashClaim: Sendable {
  struct Details: Decodable {
    struct Validators: Decodable { let etag: String? }
    let segments: [[Int64]]
    let validators: Validators
  }

  var ranges: [Range<Int64>]
  var version: Version
}

/// Checks a sandbox and gathers findings.
struct CrashCheck {
  let scenario: CrashScenario
  let sandbox: Sandbox
  /// Nil for the undisturbed run.
  let reference: CrashReference?
  /// Whether a job's end may be lost: after a power cut it is recovered from the target.
  let isPowerCut: Bool
  private(set) var problems: [String] = []
  private var claims: [CrashClaim] = []
  private var requestsBefore = 0

  init(_ scenario: CrashScenario, _ sandbox: Sandbox, _ reference: CrashReference?, isPowerCut: Bool = false) {
    (self.scenario, self.sandbox, self.reference, self.isPowerCut) = (scenario, sandbox, reference, isPowerCut)
    copy = "\(sandbox.root)/streams/copy-\(UUID().uuidString)"
  }

  mutating func note(_ isRight: Bool, _ problem: String) {
    if !isRight { problems.append(problem) }
  }

  // MARK: After the crash

  /// Checks the state after the crash on a copy of the store, so that only the following commands repair the store.
  mutating func afterCrash(_ finished: Finished) async throws {
    let isWhole = finished.exit == .code(0)
    let isEnd = finished.status.map { scenario.end.exits.contains($0) } ?? (finished.exit == .signal(SIGKILL))
    note(isEnd, "it ended by itself: \(finished)")
    checkPlaces()
    let jobs: [ListedJob]
    do {
      jobs = try await jobsOfCopy()
    } catch {
      return problems.append("P3 P14 the store cannot be read: \(error)")
    }
    if scenario.keepsJobs {
      let now = CrashCheck.text(jobs)
      if let reference { note(now == reference.jobs, "P3 other jobs: \(now), not \(reference.jobs)") }
    } else if finished.command.contains(" add ") {
      let printed = finished.output.split(separator: "\n").compactMap { Int($0) }
      note(!isWhole || printed.count == scenario.count, "P3 exit 0, and ids \(printed)")
      let known = Set(jobs.map(\.id))
      note(known.isSuperset(of: printed), "P3 ids \(printed) were printed, \(known) are known")
      note(jobs.isEmpty || jobs.count == scenario.count, "P3 \(jobs.count) jobs of \(scenario.count)")
    }
    try checkFiles(jobs)
    try checkObjects(jobs, isEnd: false)
    let isGet = finished.command.hasPrefix("dray get")
    if !scenario.keepsJobs { checkComplete(jobs, isEnd: isWhole && isGet) }
    for job in jobs where !scenario.keepsJobs && job.received > 0 && job.state != "complete" && !job.isObject {
      try await checkClaim(job)
    }
    requestsBefore = sandbox.server.requests.count
  }

  /// Checks names and bytes of the download directory.
  private mutating func checkFiles(_ jobs: [ListedJob]) throws {
    let unfinished = Set(jobs.filter { $0.state != "complete" && $0.state != "failed" }.map { $0.uuid.uppercased() })
    let names = Sandbox.plain(sandbox.names())
    for name in names.subtracting(scenario.end.strays).subtracting(scenario.end.files) {
      let path = sandbox.path(name)
      let versions = scenario.wanted[name, default: []].map(\.content)
      if sandbox.isPartFile(name) {
        let uuid = String(name.dropLast(5).suffix(36)).uppercased()
        note(unfinished.contains(uuid), "P5 \(name) belongs to no unfinished job")
        // A whole, durable file just before its rename already has the target's mode (`Publication.show`). A file that was
        // replaced has its own, until it is removed.
        let isPrivate = mode(of: path) == 0o600
        let all = scenario.wanted.values.joined().map(\.content) + scenario.present.values
        note(isPrivate || all.contains { $0.difference(fromFileAt: path) == nil }, "P5 the mode of \(name)")
      } else {
        let allowed = versions + (scenario.present[name].map { [$0] } ?? [])
        note(!allowed.isEmpty, "P6 \(name) is none of the files that may be there")
        let found = allowed.compactMap { $0.difference(fromFileAt: path) }
        note(allowed.isEmpty || found.count < allowed.count, "P1 \(name) \(found)")
      }
    }
    let missing = Set(scenario.present.keys).subtracting(names)
    note(missing.isEmpty, "P1 \(missing) were there and are not")
  }

  /// Complete jobs have exact files (P1, P12); after a reported success all jobs do.
  private mutating func checkComplete(_ jobs: [ListedJob], isEnd: Bool) {
    for job in jobs where job.state == "complete" && !job.isObject {
      let name = job.target.map { ($0 as NSString).lastPathComponent } ?? ""
      let damaged = scenario.areDamaged ? scenario.present[name].map { [$0] } ?? [] : []
      let versions = scenario.wanted[name, default: []].map(\.content) + damaged
      let found = versions.compactMap { $0.difference(fromFileAt: sandbox.path(name)) }
      note(found.count < versions.count, "P12 job \(job.id) is complete, and \(name) \(found)")
    }
    guard isEnd else { return }
    let states = jobs.map(\.state)
    let areComplete = states.allSatisfy { $0 == "complete" || isPowerCut && $0 == "interrupted" }
    note(areComplete && states.count == scenario.count, "P3 exit 0, and the jobs are \(states)")
    let missing = Set(scenario.wanted.keys).subtracting(sandbox.names())
    note(missing.isEmpty, "P12 exit 0, and there is no \(missing)")
  }

  /// Only the state and the downloads have changed (P6).
  private mutating func checkPlaces() {
    let places = sandbox.names(in: sandbox.root)
    note(places.subtracting(Sandbox.places).isEmpty, "P6 \(places)")
    note(sandbox.names(in: sandbox.root + "/user").isEmpty, "P6 something in the home directory")
    let state = Sandbox.plain(sandbox.names(in: sandbox.home))
    let known: Set = ["", "-wal", "-shm", "-journal"]
    let expected = scenario.end.state.union(known.map { "dray.sqlite" + $0 }).union(["runners", "journals"])
    note(state.isSubset(of: expected), "P6 \(state) in the state directory")
  }

  /// The store's claim matches the part file and a single version (P2, P4).
  private mutating func checkClaim(_ job: ListedJob) async throws {
    let shown = try await sandbox.start(["show", "\(job.id)", "--json"]) { $0.environment["DRAY_HOME"] = copy }.finish()
    let details = try JSONDecoder().decode(CrashClaim.Details.self, from: Data(shown.output.utf8))
    let ranges = details.segments.map { $0[0]..<$0[1] }
    guard !ranges.isEmpty else { return }
    let versions = scenario.wanted.values.joined()
    guard let version = versions.first(where: { $0.etag == details.validators.etag }) else {
      return problems.append("P2 bytes are claimed of version \(details.validators.etag ?? "none")")
    }
    let name = sandbox.names().first { $0.hasSuffix(".\(job.uuid).part") }
    let path = job.partFile ?? sandbox.path(name ?? ".\(job.uuid).part")
    // A missing part file was renamed: the target was checked, and the next process finishes the publish.
    guard let file = FileHandle(forReadingAtPath: path) else {
      return note(scenario.wanted.keys.contains { sandbox.names().contains($0) }, "P4 no part file of job \(job.id)")
    }
    defer { try? file.close() }
    for range in ranges {
      try file.seek(toOffset: UInt64(range.lowerBound))
      let found = try file.read(upToCount: range.count) ?? Data()
      note(found == Data(version.content.bytes(in: range)), "P4 the bytes \(range) are claimed and are others")
    }
    claims.append(CrashClaim(ranges: ranges, version: version))
  }

  // MARK: After running again

  /// Checks that the next run completed everything.
  mutating func atEnd() async throws -> CrashReference {
    checkPlaces()
    let names = Sandbox.plain(sandbox.names()).subtracting(scenario.end.files)
    let wanted = Set(scenario.wanted.keys).union(scenario.present.keys)
    let areThere = scenario.end.mayLackTargets ? names.isSubset(of: wanted) : names == wanted
    note(areThere, "P5 at the end there are \(names), not \(wanted)")
    problems += try await scenario.end.problems(sandbox)
    for name in names.intersection(wanted) {
      let allowed = scenario.wanted[name]?.map(\.content) ?? scenario.present[name].map { [$0] } ?? []
      let found = allowed.compactMap { $0.difference(fromFileAt: sandbox.path(name)) }
      note(found.count < allowed.count, "P1 P2 at the end \(name) \(found)")
    }
    if !scenario.wanted.isEmpty {
      let usual = mode(of: try sandbox.write("", to: "../streams/usual"))
      for name in scenario.wanted.keys where names.contains(name) {
        note(mode(of: sandbox.path(name)) == usual, "P5 the mode of \(name)")
      }
    }
    checkRequests()
    let jobs = try await sandbox.jobs()
    try checkObjects(jobs, isEnd: true)
    if let count = scenario.end.jobs {
      let areRight = count.contains(jobs.count) && jobs.allSatisfy { scenario.end.states.contains($0.state) }
      note(areRight, "P3 at the end the jobs are \(CrashCheck.text(jobs))")
    } else if !scenario.keepsJobs {
      let targets = Set(jobs.compactMap { $0.state == "complete" ? $0.target : nil })
      let isOnce = jobs.count == scenario.count && targets.count == jobs.count
      note(isOnce, "P3 at the end the jobs are \(CrashCheck.text(jobs))")
    }
    if !scenario.keepsJobs, !sandbox.names(in: sandbox.home + "/runners").isEmpty {
      // The lease of a dead runner: the next run removes it.
      let run = try await sandbox.dray("run")
      let leases = sandbox.names(in: sandbox.home + "/runners")
      note(run.status == 0 && leases.isEmpty, "P5 leases of runners that died: \(leases) \(run)")
    }
    let now = CrashReference(jobs: CrashCheck.text(jobs), store: try await store())
    note(now.store.contains("\"ok\""), "P14 the store: \(now.store)")
    if let reference {
      note(now.store == reference.store, "P14 the store: \(now.store)\nnot \(reference.store)")
      note(!scenario.keepsJobs || now.jobs == reference.jobs, "P3 at the end: \(now.jobs), not \(reference.jobs)")
    }
    return now
  }

  /// Checkpointed bytes were not requested again, except the overlap (P4, P18).
  private mutating func checkRequests() {
    guard scenario.resumes, let claim = claims.first else { return }
    for request in sandbox.server.requests.dropFirst(requestsBefore) {
      let start = request["Range"].flatMap { Int64($0.dropFirst(6).prefix { $0.isNumber }) }
      let isNew = start.map { Joint.isAtGap($0, of: claim.ranges) } ?? false
      note(isNew && request.status == 206, "P4 \(request["Range"] ?? "everything") was asked for, with \(claim.ranges)")
    }
  }

  // MARK: Looking

  private let copy: String

  /// The jobs of a copy of the state directory.
  private func jobsOfCopy() async throws -> [ListedJob] {
    guard FileManager.default.fileExists(atPath: sandbox.home) else { return [] }
    try FileManager.default.copyItem(atPath: sandbox.home, toPath: copy)
    let listed = try await sandbox.start(["list", "--json"]) { $0.environment["DRAY_HOME"] = copy }.finish()
    guard listed.status == 0 else { throw HarnessError("\(listed)") }
    return try JSONDecoder().decode([ListedJob].self, from: Data(listed.output.utf8))
  }

  /// The store's health, version and schema, from SQLite itself.
  private func store() async throws -> String {
    let script = """
      import json, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      ask = lambda text: [row[0] for row in store.execute(text)]
      print(json.dumps([ask("PRAGMA integrity_check"), ask("PRAGMA foreign_key_check"), ask("PRAGMA user_version"),
        sorted(" ".join(sql.split()) for sql in ask("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))]))
      """
    let finished = try await sandbox.tool("python3", ["-c", script, sandbox.home + "/dray.sqlite"])
    guard finished.status == 0 else { throw HarnessError("\(finished)") }
    return finished.output
  }

  private func mode(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  private static func text(_ jobs: [ListedJob]) -> [String] {
    jobs.map { job in
      "\(job.id) \(job.uuid) \(job.url) \(job.state) \(job.target ?? "-") \(job.received) \(job.size ?? -1) \(job.priority)"
    }
  }
}
