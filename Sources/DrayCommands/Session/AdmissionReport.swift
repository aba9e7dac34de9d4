// Reports what became of the URLs that the run fetches now.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Threads

struct AdmissionReport {
  let style: SessionStyle
  private var seen: Set<JobID> = []
  private var hasExplainedPipe = false
  private var hasSaidNotAsked = false

  init(_ style: SessionStyle) { self.style = style }

  /// Reports the outcome for each specification.
  /// - Returns: The jobs that the run transfers.
  mutating func report(_ admissions: [Admission], _ specifications: some Collection<JobSpecification>) -> [JobID] {
    let output = ResultOutput.standard
    let time = WallClock.now()
    var ids: [JobID] = []
    // A name may stand for thousands of files, which are counted.
    var present: [String: Int] = [:]
    for (admission, specification) in zip(admissions, specifications) {
      switch admission {
      case .job(let added):
        guard seen.insert(added.id).inserted else { continue }
        ids.append(added.id)
        AriaResults.current?.add(added.id)
        if style.progress == .json { output.write(EventJSON.added(added, specification, time: time)) }
        if !style.quiet { AdmissionReport.words(admission).forEach(Messages.print) }
      case .alreadyComplete(let id, let path, _):
        guard seen.insert(id).inserted else { continue }
        if let source = specification.options.source {
          present[source.shownName, default: 0] += 1
        } else if !style.quiet {
          let said = AdmissionReport.words(admission, hasSeeds: specification.options.seeding?.files.isEmpty == false)
          // In a list, the user is told this only once.
          (hasSaidNotAsked ? said.dropLast(1) : said[...]).forEach(Messages.print)
          hasSaidNotAsked = true
        }
        AriaResults.current?.record(complete: path, id)
        guard style.isKnown(path) else { continue }
        explainPipe()
        if style.printsPaths { output.write(path + "\n") }
      case .present(let path):
        present[specification.options.source?.shownName ?? path, default: 0] += 1
        guard style.isKnown(path) else { continue }
        explainPipe()
        if style.printsPaths { output.write(path + "\n") }
      case .skipped:
        if !style.quiet { AdmissionReport.words(admission).forEach(Messages.print) }
      }
    }
    if !style.quiet {
      for (name, count) in present.sorted(by: { $0.key < $1.key }) {
        Messages.print(Remarks.present(name, count))
      }
    }
    output.flush()
    return ids
  }

  /// Returns the lines about the outcome for a requested download; there are none for a new job.
  /// - Parameter hasSeeds: Whether the user gave files whose bytes are to be reused.
  static func words(_ admission: Admission, hasSeeds: Bool = false) -> [String] {
    switch admission {
    case .job(let added):
      var lines: [String] = []
      if added.replacesDamaged {
        lines.append("job \(added.id): the file there does not match its digest; it is fetched again")
      }
      guard let change = added.repetition else { return lines }
      func options(_ names: [String]) -> String { names.map { "--\($0)" }.joined(separator: ", ") }
      if !change.replaced.isEmpty {
        let names = options(change.replaced)
        lines.append(
          change.isApplied
            ? "job \(added.id): \(names) replaced; its other options stay"
            : "job \(added.id) is being transferred: \(names) not changed")
      }
      if !change.kept.isEmpty {
        let them = change.kept.count == 1 ? "it" : "them"
        lines.append("job \(added.id) keeps \(options(change.kept)); `dray remove \(added.id)` forgets \(them)")
      }
      if !change.limits.isEmpty {
        let resets = change.limits.map { "\($0)=" }.joined(separator: " ")
        let them = change.limits.count == 1 ? "it" : "them"
        lines.append("job \(added.id) keeps \(options(change.limits)); `dray set \(added.id) \(resets)` resets \(them)")
      }
      return lines
    case .alreadyComplete(_, let path, let remark):
      let seeds = hasSeeds ? ", and --seed is not used" : ""
      return ["already complete: \(path)\(remark.map { "; " + TextSafety.escaped($0) } ?? "")"]
        + ["the server was not asked\(seeds); --if-changed asks it"]
    case .present(let path): return ["up to date: \(path)"]
    case .skipped(let path, let isOfJob):
      return ["skipped: \(path) \(isOfJob ? "is the target of another job" : "already exists")"]
    }
  }

  /// Reports that a file is up to date although no job knows it.
  mutating func report(upToDate path: String) {
    if !style.quiet { Messages.print("up to date: \(path)") }
    explainPipe()
    if style.printsPaths { ResultOutput.standard.write(path + "\n") }
    ResultOutput.standard.flush()
  }

  /// Explains once how to write a file that already exists into the pipe.
  private mutating func explainPipe() {
    guard style.explainsPipe, !hasExplainedPipe else { return }
    hasExplainedPipe = true
    Messages.print(PipeWords.advice)
  }

  /// Resumes the given jobs that are paused, because the user has named them.
  static func resumePaused(_ admissions: [Admission], _ manager: DownloadManager) async throws(Failure) {
    let existing = admissions.compactMap { if case .job(let added) = $0, added.existing { added.id } else { nil } }
    let paused = try await manager.jobs.jobs(ids: existing).filter { $0.state == .paused }.map(\.id)
    if !paused.isEmpty { _ = try await manager.jobs.resume(paused) }
  }
}
