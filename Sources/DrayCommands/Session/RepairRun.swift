// Carries out `dray verify --repair`, which fetches damaged parts of jobs' files again while the user waits.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

enum RepairRun {
  /// Compares the file of each job with its known hashes, and fetches damaged parts again. Standard output gets one
  /// line per job: OK or REPAIRED, and the path.
  /// - Returns: The combined exit status of the run and of the jobs that cannot be repaired.
  static func run(_ ids: [JobID], quiet: Bool) async throws -> ExitStatus {
    let manager = try Store.open()
    var statuses: Set<ExitStatus> = []
    var queued: [JobID] = []
    var before: [JobID: FileIdentity] = [:]
    for id in ids {
      do throws(Failure) {
        let job = try await manager.jobs.job(id)
        let path = TextSafety.escaped(job?.target ?? "")
        switch try await manager.repair(id) {
        case .sound:
          if !quiet { ResultOutput.standard.write("OK  \(path)\n") }
        case .queued(let missing, let size):
          if !quiet {
            Messages.print(
              "[\(id)] \(ByteText.size(missing)) of \(ByteText.size(size)) will be fetched again: \(path)")
          }
          queued.append(id)
          before[id] = job?.published
        }
      } catch {
        Messages.print(error)
        statuses.insert(error.exitStatus)
      }
    }
    guard !queued.isEmpty else { return ExitStatus.combined(statuses) }
    let runner = try await manager.makeRunner(.jobs(queued), RunOptions())
    let status = try await TransferSession(runner, SessionStyle(quiet: quiet), warnsOfInsecureJobs: true).run()
    if status != .success { statuses.insert(status) }
    // A job whose repair failed is still complete, and its file is unchanged.
    for job in try await manager.jobs.jobs(ids: queued)
    where job.state == .complete && job.published != before[job.id] && !quiet {
      ResultOutput.standard.write("REPAIRED  \(TextSafety.escaped(job.target ?? ""))\n")
    }
    return ExitStatus.combined(statuses)
  }
}
