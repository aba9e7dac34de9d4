// Handles `dray get` with a new link for an interrupted job: the job continues with that link.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

/// Gives the URLs of a command line to the interrupted jobs for the same files.
struct NewLinks {
  let manager: DownloadManager
  let style: SessionStyle
  /// Whether the user asked for that (`--new-link`). Otherwise the user is asked about each job.
  let isWanted: Bool

  /// The maximum number of URLs that are compared with jobs.
  private static let most = 64

  /// Gives each URL that is a new link for a job to that job. Afterwards, the list contains these jobs in place of the
  /// URLs.
  /// - Throws: Kind `usage` if `--new-link` was given and no job matches.
  func give(_ list: inout SpecificationList) async throws {
    guard isWanted || canAsk else { return }
    var isGiven = false
    if list.count <= NewLinks.most {
      var jobs = try await manager.interruptedJobs()
      for index in list.indices where !jobs.isEmpty {
        let hosts = CommandContext.current.hosts
        guard let job = try await manager.job(toContinueWith: list[index], among: jobs, hosts: hosts),
          isWanted || YesNo.ask(NewLinks.question(job)), try await give(list[index], to: job)
        else { continue }
        isGiven = true
        jobs.removeAll { $0.id == job.id }
        list.stand(for: job, at: index)
      }
    }
    guard isGiven || !isWanted else {
      throw OptionValue.bad(
        "--new-link", "no interrupted job has this target, or this name, length and validator",
        advice: "`dray set-url ID URL` gives any job a new link")
    }
  }

  /// Whether there is a user at a terminal who can be asked.
  private var canAsk: Bool {
    style.profile.isInteractive && !style.quiet && style.progress != .json && TerminalDevice.isTTY(0)
  }

  /// Returns the question about a job, such as `[3] big.iso: 31.0 of 200 MiB from old.example are kept; continue with
  /// this link?`.
  static func question(_ job: Job) -> String {
    let kept = StoppedJob(job)
    let bytes = kept.kept.replacing("/", with: " of ")
    let host = TextSafety.escaped(job.specification.request.url.origin.host)
    return "[\(job.id)] \(kept.name): \(bytes) from \(host) are kept; continue with this link?"
  }

  /// Gives the link of a download to a job.
  /// - Returns: Whether the job still exists.
  private func give(_ specification: JobSpecification, to job: Job) async throws(Failure) -> Bool {
    let url = specification.request.url
    let change = try await manager.setURL(job.id, url)
    switch change.result {
    case .done, .asked: break
    case .refused(let reason, let advice): throw Failure(.other, "job \(job.id)", reason, advice: advice)
    case .unknown: return false
    }
    guard !style.quiet else { return true }
    let bytes = StoppedJob(job).kept.replacing("/", with: " of ")
    Messages.print("[\(job.id)] has the new link; \(bytes) are kept if they are the server's")
    if !change.left.isEmpty {
      Messages.print("[\(job.id)] dropped, as \(url.origin) is another server: \(change.left.joined(separator: ", "))")
    }
    return true
  }
}
