// Queues the files of `dray get`, some at a time.

internal import DrayKit
internal import DrayStore
internal import Threads

/// The files of a command line that are not queued yet.
final class GetQueue {
  private let list: SpecificationList
  private let manager: DownloadManager
  private let style: SessionStyle
  private let present: PresentTargets
  private var report: AdmissionReport
  private var left: ArraySlice<Range<Int>>

  /// Whether there are more files to queue.
  var hasMore: Bool { !left.isEmpty }

  /// Creates the queue of a list, and reports the files that already exist.
  init(_ list: SpecificationList, _ manager: DownloadManager, _ style: SessionStyle) async throws {
    (self.list, self.manager, self.style) = (list, manager, style)
    (report, left) = (AdmissionReport(style), list.parts[...])
    present = try await PresentTargets(list, manager)
    for path in present.upToDate { report.report(upToDate: path) }
  }

  /// Queues the next part.
  /// - Returns: The jobs to transfer.
  func admitNext() async throws -> [JobID] {
    let part = left.removeFirst()
    let admitted: [Admission]
    let ids: [JobID]
    if present.isEmpty {
      admitted = try await manager.admit(list[part])
      ids = report.report(admitted, list[part])
    } else {
      let (rest, entrance) = present.rest(of: list, in: part)
      guard !rest.isEmpty else { return [] }
      admitted = try await manager.admit(rest, entering: entrance)
      ids = report.report(admitted, rest)
    }
    try await AdmissionReport.resumePaused(admitted, manager)
    // A URL that the user typed is requested once, even if its server asked for a pause.
    let held = try await manager.askAtOnce(ids)
    if !style.quiet { for held in held { Messages.print(HoldText.asking(held, now: WallClock.now())) } }
    if !style.quiet { for line in try await JobWait.lines(ids, manager) { Messages.print(line) } }
    if !style.quiet, list[part].prefix(GetQueue.told).contains(where: { $0.options.inOrder ?? false }) {
      for line in try await readableParts(ids) { Messages.print(line) }
    }
    return ids
  }

  /// The maximum number of jobs of a part about which lines are printed.
  private static let told = 20

  /// Returns lines that name the part files which can be read while they grow.
  private func readableParts(_ ids: [JobID]) async throws -> [String] {
    try await manager.jobs.jobs(ids: Array(ids.prefix(GetQueue.told)))
      .filter { $0.specification.options.inOrder ?? false && $0.specification.place.traits.holdsFiles }
      .map { "[\($0.id)] readable while it arrives: \(TextSafety.escaped($0.partFile))" }
  }

  /// Queues the other parts, and adds their jobs to a run.
  func admitRest(to runner: Runner) async throws {
    while hasMore {
      let ids = try await admitNext()
      try await runner.add(ids, isLast: !hasMore)
    }
  }
}
