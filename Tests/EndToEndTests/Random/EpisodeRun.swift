// Carries out an episode: runs the program against its servers, stops it, checks the targets during each run, and
// gathers findings. Each finding begins with the broken promise, if any.

import FaultServer
import Foundation

/// A running episode.
final class EpisodeRun {
  /// The time limit of a run, in seconds. It only ends hung programs.
  private static let bound = 180.0

  let episode: Episode
  let sandbox: Sandbox
  let site: EpisodeSite
  private(set) var problems: [String] = []
  /// The commands and their ends.
  private(set) var log: [String] = []
  /// The earlier contents of each target, which may stay.
  var before: [[Content]]
  /// Whether only the earlier content is allowed, because a repair restores the published file.
  var isRepair = false
  private var seen: [String: String] = [:]
  private var damaged: Set<String> = []
  private var dice: Dice

  init(_ episode: Episode, _ sandbox: Sandbox, _ site: EpisodeSite) {
    (self.episode, self.sandbox, self.site) = (episode, sandbox, site)
    before = episode.files.map { _ in [] }
    dice = Dice(seed: episode.seed ^ 0xD15C)
  }

  func note(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { problems.append(problem()) }
  }

  // MARK: One run

  /// Runs the program, stops it at the planned moment, and checks the targets until then (P1).
  /// - Parameter output: The destination of standard output, if not a file of the sandbox.
  func run(_ arguments: [String], _ stop: StopPlan? = nil, output: String? = nil) async throws -> Finished {
    let sent = site.bytesSent
    // The stall time-out is short for servers that go silent on purpose, and long for a slow machine.
    let settings = [
      "RETRIES": "2", "RETRY_WAIT": "0.02", "STALL_TIMEOUT": site.isCalm ? "2m" : "2s", "S3_PATIENCE": "10",
    ]
    let program = try sandbox.start(arguments) { launch in
      for (name, value) in settings { launch.environment["DRAY_" + name] = value }
      if let output { launch.output = .file(output) }
    }
    let begin = ContinuousClock.now
    var isSignalled = false
    while program.exit == nil {
      look()
      let seconds = (ContinuousClock.now - begin) / .seconds(1)
      if let stop, !isSignalled, seconds >= stop.seconds || stop.bytes.map({ site.bytesSent - sent >= $0 }) ?? false {
        program.send(stop.signal)
        isSignalled = true
      }
      if seconds > Self.bound {
        program.send(SIGKILL)
        problems.append("P13 it did not end within \(Int(Self.bound)) s: dray \(arguments.joined(separator: " "))")
        break
      }
      try await Task.sleep(for: .milliseconds(4))
    }
    let finished = try await program.finish()
    log.append(
      "$ \(finished.command)\(isSignalled ? ", sent signal \(stop?.signal ?? 0)" : ""): \(finished.exit)\n"
        + finished.errors.suffix(600))
    checkEnd(finished, signal: isSignalled ? stop?.signal : nil)
    look()
    checkNames()
    return finished
  }

  /// Every end except a crash is documented, and only success is silent. A signal that arrives before the program
  /// handles it ends the program directly.
  private func checkEnd(_ finished: Finished, signal sent: Int32?) {
    switch finished.exit {
    case .signal(let signal):
      note(signal == sent, "it crashed: \(finished)")
    case .code(let code):
      note(
        [0, 1, 3, 4, 6, 7, 8, 9].contains(code) || code == sent.map { 128 + $0 }, "P11 the exit status of \(finished)")
      note(code == 0 || sent != nil || !finished.errors.isEmpty, "P11 it failed without a word: \(finished)")
    }
  }

  // MARK: Looking

  /// The bucket of an episode that has one.
  var bucket: FaultBucket? { episode.bucket == nil ? nil : try? sandbox.bucket() }

  private func path(_ file: Int) -> String { sandbox.path(episode.files[file].name) }

  private func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

  /// The bytes of a target, in the directory or in the bucket.
  private func target(_ file: Int) -> [UInt8]? {
    bucket.map { $0.object(episode.files[file].name)?.bytes } ?? bytes(path(file))
  }

  /// Checks each target that has changed since the last check (P1).
  private func look() {
    guard episode.client != .stdout else { return }
    if let bucket { return look(bucket) }
    for file in episode.files.indices {
      var status = stat()
      guard lstat(path(file), &status) == 0 else {
        seen[path(file)] = nil
        continue
      }
      let mark = "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
      guard seen[path(file)] != mark, let bytes = bytes(path(file)) else { continue }
      seen[path(file)] = mark
      note(status.st_mode & S_IFMT == S_IFREG, "P1 f\(file) is not a regular file")
      if let problem = truth(of: file).problem(with: bytes) { problems.append("P1 f\(file): \(problem)") }
    }
  }

  /// The same for objects: none is ever partial.
  private func look(_ bucket: FaultBucket) {
    for (file, plan) in episode.files.enumerated() {
      guard let object = bucket.object(plan.name), seen[plan.name] != object.etag else { continue }
      seen[plan.name] = object.etag
      if let problem = truth(of: file).problem(with: object.bytes) { problems.append("P1 f\(file): \(problem)") }
    }
  }

  /// The facts about a file, and its earlier content.
  func truth(of file: Int) -> Truth {
    var truth = isRepair ? Truth() : site.truth(of: file)
    truth.before = before[file]
    return truth
  }

  /// Whether the target has this content.
  func isAtTarget(_ content: Content, _ file: Int = 0) -> Bool {
    target(file).map { Truth.isSame($0, content) } ?? false
  }

  /// Checks that all targets exist; ``look()`` has judged them.
  func checkDone(_ finished: Finished) {
    for file in episode.files.indices where target(file) == nil {
      problems.append("P12 exit 0, and there is no f\(file): \(finished)")
    }
  }

  /// Checks that no file is at a forbidden place (P6).
  private func checkNames() {
    let places = sandbox.names(in: sandbox.root).subtracting(Sandbox.places)
    note(places.isEmpty && sandbox.names(in: sandbox.root + "/user").isEmpty, "P6 outside of the directory: \(places)")
    let known = Set(episode.files.map(\.name)).union(["set.toml", "set.lock", ".set.lock.new"])
    let others = Sandbox.plain(sandbox.names()).subtracting(known).filter { !sandbox.isPartFile($0) }
    note(others.isEmpty, "P6 \(others) in the directory")
  }

  /// Flips a bit of each part file, like a bad disk, among the claimed bytes, which have checksums. A whole file about
  /// to be published is left alone, because it may have no checksums. A file is damaged once: a run that found the
  /// damage, and was killed while it gave the bytes up, may still have them in its record.
  func damagePart() async throws {
    for job in try await sandbox.jobs() where sandbox.names().contains(".\(job.uuid).part") {
      guard !damaged.contains(job.uuid), let shown = try await sandbox.shown(job.id),
        let claimed = shown.segments.randomElement(using: &dice),
        shown.recorded < job.size ?? .max
      else { continue }
      try Sandbox.flip(Int64.random(in: claimed, using: &dice), in: sandbox.path(".\(job.uuid).part"))
      damaged.insert(job.uuid)
    }
  }

  /// Standard output is an allowed content, or its beginning if the program was stopped; it is empty after a failure.
  func checkOutput(_ path: String, of finished: Finished) {
    let bytes = bytes(path) ?? []
    switch finished.exit {
    case .code(0):
      if let problem = truth(of: 0).problem(with: bytes) { problems.append("P12 standard output: \(problem)") }
    case .signal, .code(130), .code(143):
      note(truth(of: 0).mayBegin(with: bytes), "P12 standard output begins with \(bytes.count) bytes of no version")
    default:
      note(bytes.isEmpty, "P12 \(bytes.count) bytes went to standard output of what failed: \(finished)")
    }
  }

  /// Each file matches the lock.
  func checkLock() {
    let lock = sandbox.read("set.lock") ?? ""
    for file in episode.files.indices {
      guard let bytes = bytes(path(file)) else { continue }
      note(lock.contains(Sandbox.sha256(.fixed(bytes))), "P12 the lock has another digest of f\(file)")
    }
  }

  // MARK: The end

  /// Each part file has its job, each complete job its target, and nothing is left after the jobs are removed (P5).
  func checkEnd() async throws {
    let jobs = try await sandbox.jobs()
    let parts = Set(
      jobs.filter { ["queued", "paused", "interrupted", "active"].contains($0.state) }.map {
        ".\($0.uuid).part".lowercased()
      })
    let strays = sandbox.names().filter { sandbox.isPartFile($0) && !parts.contains($0.lowercased()) }
    note(strays.isEmpty, "P5 part files without a job: \(strays), jobs \(jobs.map { "\($0.id) \($0.state)" })")
    for job in jobs where job.state == "complete" && bucket == nil {
      let isThere = job.target.map { FileManager.default.fileExists(atPath: $0) } ?? false
      note(isThere, "P12 job \(job.id) is complete, and there is no \(job.target ?? "target")")
    }
    guard !jobs.isEmpty else { return }
    let removed = try await sandbox.dray("remove", "-q", "--all")
    note(removed.status == 0, "\(removed)")
    if let bucket {
      // An upload whose id never reached the program has no parts.
      let left = bucket.uploads.keys.filter { bucket.parts(of: $0) > 0 }
      note(left.isEmpty, "P5 uploads when all jobs are gone: \(left), \(bucket.calls.suffix(30))")
    }
    note(
      !sandbox.names().contains(where: sandbox.isPartFile), "P5 part files when all jobs are gone: \(sandbox.names())")
  }
}
