// `dray --host http://… watch`: the jobs of a service, until none is transferred.

internal import DrayDocuments
internal import DrayKit
internal import TerminalUI

/// Shows the jobs of a service: as a table that is painted again on a terminal, otherwise a line for each change.
struct DoorWatch {
  private let calls: DoorCalls
  /// The jobs to show; empty for all that have not ended.
  private let ids: Set<JobID>
  /// The last line of each job.
  private var shown: [Int64: String] = [:]
  /// The painted lines.
  private var height = 0

  private static let interval = 1.0
  /// The last line of a job that is no longer listed.
  private static let gone = ""

  init(_ calls: DoorCalls, _ ids: [JobID]) { (self.calls, self.ids) = (calls, Set(ids)) }

  /// Runs until the named jobs have ended, or until no job is active or will be.
  func run() async throws(Failure) -> ExitStatus {
    var watch = self
    return try await watch.loop()
  }

  private mutating func loop() async throws(Failure) -> ExitStatus {
    let isTTY = TerminalDevice.isTTY(1)
    while true {
      let all = try await RemoteDoor.jobs(ids.isEmpty ? ["active", "queued"] : [], calls)
      let jobs = ids.isEmpty ? all : all.filter { ids.contains($0["id"]?.integer ?? 0) }
      if let missing = ids.subtracting(jobs.compactMap { $0["id"]?.integer }).min(), shown[missing] == nil {
        throw OptionValue.bad("job \(missing)", "no such job")
      }
      if isTTY { paint(jobs) } else { try await note(jobs) }
      let isOver = !jobs.contains { ["active", "queued"].contains($0["state"]?.string) }
      if isOver { break }
      do { try await Task.sleep(for: .seconds(DoorWatch.interval)) } catch { break }
    }
    if isTTY, height == 0 { Messages.print("no job is active") }
    return .success
  }

  /// Paints the table over the last one.
  private mutating func paint(_ jobs: [JSONNode]) {
    let window = TerminalDevice.size(1)
    for job in jobs { shown[job["id"]?.integer ?? 0] = job["state"]?.string ?? "" }
    var lines = 0
    var text = height > 0 ? "\u{1B}[\(height)A\u{1B}[J" : ""
    // Active jobs first, and no more rows than the window has.
    let first = jobs.filter { $0["state"]?.string == "active" } + jobs.filter { $0["state"]?.string != "active" }
    if !jobs.isEmpty {
      DoorReport.table(Array(first.prefix(max(1, window.rows - 3))), width: window.columns, isTTY: true) { part in
        text += part
        lines += part.utf8.count { $0 == 0x0A }
      }
    }
    height = lines
    ResultOutput.standard.write(text)
    ResultOutput.standard.flush()
  }

  /// Prints a line for each job whose state changed. A job that is no longer listed has ended or was removed.
  private mutating func note(_ jobs: [JSONNode]) async throws(Failure) {
    var now = jobs
    let here = Set(jobs.compactMap { $0["id"]?.integer })
    for id in shown.keys.sorted() where !here.contains(id) && shown[id] != DoorWatch.gone {
      do throws(Failure) { now.append(try await calls.call("GET", "/jobs/\(id)")) } catch {
        if error.httpStatus != 404 { throw error }
        ResultOutput.standard.write("[\(id)] removed\n")
      }
      shown[id] = DoorWatch.gone
    }
    for job in now {
      guard let id = job["id"]?.integer, let state = job["state"]?.string else { continue }
      let place = job["target"]?.string ?? job["url"]?.string ?? ""
      let line = "[\(id)] \(TextSafety.escaped(state)) \(TextSafety.escaped(place))"
      if shown[id] != line { ResultOutput.standard.write(line + "\n") }
      shown[id] = here.contains(id) ? line : DoorWatch.gone
    }
    ResultOutput.standard.flush()
  }
}
