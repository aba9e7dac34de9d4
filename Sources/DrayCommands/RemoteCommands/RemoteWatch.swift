// `dray --host http://… watch` without a terminal, `get` and `wait`: print a line for each change of a service's jobs.

internal import DrayDocuments
internal import DrayKit
internal import TerminalUI

struct RemoteWatch {
  private let calls: RemoteCalls
  /// The jobs to show; empty for all jobs that have not ended.
  private let ids: Set<JobID>
  private let isQuiet: Bool
  private var shown: [Int64: String] = [:]

  private static let interval = 1.0
  /// The stored last line of a job that the service no longer lists.
  private static let gone = ""

  init(_ calls: RemoteCalls, _ ids: [JobID], isQuiet: Bool = false) {
    (self.calls, self.ids, self.isQuiet) = (calls, Set(ids), isQuiet)
  }

  /// Runs until the jobs that the user named have ended; without such jobs, until no job is active or will become
  /// active.
  func run() async throws(Failure) -> ExitStatus {
    var watch = self
    if try await watch.loop().isEmpty, watch.shown.isEmpty { Messages.print("no job is active") }
    return .success
  }

  /// Runs until the jobs have ended.
  /// - Returns: The exit status that follows from all their ends.
  func untilEnded() async throws(Failure) -> ExitStatus {
    var watch = self
    let jobs = try await watch.loop()
    var statuses: Set<ExitStatus> = []
    if jobs.count < ids.count { statuses.insert(.other) }
    for job in jobs {
      let id = job["id"]?.integer ?? 0
      switch job["state"]?.string {
      case "complete": statuses.insert(.success)
      case "paused":
        Messages.print("[\(id)] is paused; `resume \(id)` continues it")
        statuses.insert(.other)
      default:
        if let reason = job["error"]?["message"]?.string { Messages.print("[\(id)] \(reason)") }
        statuses.insert(
          job["error"]?["exitStatus"]?.integer.flatMap { ExitStatus(rawValue: Int32(clamping: $0)) } ?? .other)
      }
    }
    return ExitStatus.combined(statuses)
  }

  private mutating func loop() async throws(Failure) -> [JSONNode] {
    while true {
      let all = try await RemoteExecution.jobs(ids.isEmpty ? ["active", "queued"] : [], calls)
      let jobs = ids.isEmpty ? all : all.filter { ids.contains($0["id"]?.integer ?? 0) }
      if let missing = ids.subtracting(jobs.compactMap { $0["id"]?.integer }).min(), shown[missing] == nil {
        throw OptionValue.bad("job \(missing)", "no such job")
      }
      if !isQuiet { try await note(jobs) }
      guard jobs.contains(where: { ["active", "queued"].contains($0["state"]?.string) }) else { return jobs }
      do { try await Task.sleep(for: .seconds(RemoteWatch.interval)) } catch { return jobs }
    }
  }

  /// Prints a line for each job whose state changed. A job that the service no longer lists has ended or was removed.
  private mutating func note(_ jobs: [JSONNode]) async throws(Failure) {
    var now = jobs
    let here = Set(jobs.compactMap { $0["id"]?.integer })
    for id in shown.keys.sorted() where !here.contains(id) && shown[id] != RemoteWatch.gone {
      do throws(Failure) { now.append(try await calls.call("GET", "/jobs/\(id)")) } catch {
        if error.httpStatus != 404 { throw error }
        ResultOutput.standard.write("[\(id)] removed\n")
      }
      shown[id] = RemoteWatch.gone
    }
    for job in now {
      guard let id = job["id"]?.integer, let state = job["state"]?.string else { continue }
      let place = job["target"]?.string ?? job["url"]?.string ?? ""
      let line = "[\(id)] \(TextSafety.escaped(state)) \(TextSafety.escaped(place))"
      if shown[id] != line { ResultOutput.standard.write(line + "\n") }
      shown[id] = here.contains(id) ? line : RemoteWatch.gone
    }
    ResultOutput.standard.flush()
  }
}
