// Queues the files below directories as they are found, and counts them.

internal import DrayDocuments
internal import DrayKit

/// Reads the directories, and reports what became of their files.
actor TreeQueue: TreeReceiver {
  private let input: TreeInput
  private let manager: DownloadManager
  private let style: SessionStyle
  private let say: @Sendable (String) async -> Void
  private let take: @Sendable ([JobID]) async throws -> Void
  private var admissions: AdmissionReport
  /// The exit statuses of the failures so far.
  private(set) var statuses: Set<ExitStatus> = []
  private var queued = 0
  private var unchanged = 0
  private var skipped = 0

  /// - Parameters:
  ///   - say: Prints a message for people.
  ///   - take: Receives new jobs, some at a time, after they are on the disk.
  init(
    _ input: TreeInput, _ manager: DownloadManager, _ style: SessionStyle,
    say: @escaping @Sendable (String) async -> Void, take: @escaping @Sendable ([JobID]) async throws -> Void
  ) {
    (self.input, self.manager, self.style, self.say, self.take) = (input, manager, style, say, take)
    // Thousands of files are not reported one by one.
    var quiet = style
    quiet.quiet = true
    admissions = AdmissionReport(quiet)
  }

  /// Reads all directories. If a directory cannot be read, the failure is printed and added to ``statuses``.
  /// - Throws: Kind `store` if the store can no longer be used.
  func walk() async throws {
    let folding = try await manager.folding(of: input.place)
    for start in input.starts {
      var start = start
      start.url = try await manager.asked(start.url)
      (queued, unchanged, skipped) = (0, 0, 0)
      do {
        var request = input.request(start)
        request.folding = folding
        let report = try await manager.queueTree(request, for: self) { [input, start] file in
          input.specification(of: file, below: start)
        }
        if !style.quiet { for line in lines(report, start) { await say(line) } }
      } catch let failure as Failure where failure.kind != .store {
        var failure = failure
        if start.isTypedAsFile { failure.advice = "without -r, `dray get` fetches one file" }
        await failed(failure)
      }
    }
  }

  func failed(_ failure: Failure) async {
    statuses.insert(failure.exitStatus)
    await say(failure.message)
  }

  private func nothing(in directories: String) -> String {
    if !input.filter.includes.isEmpty { return "no file in \(directories) matches --include" }
    return input.filter.excludes.isEmpty
      ? "no files in \(directories)" : "--exclude leaves no file in \(directories)"
  }

  /// Returns the text that reports the reading of a directory; the text is usually one line.
  private func lines(_ report: TreeReport, _ start: TreeInput.Start) -> [String] {
    let directories = TreeQueue.count(report.directories, "directory", "directories")
    var parts = [(queued, "queued"), (unchanged, "up to date"), (skipped, "skipped")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if report.failures > 0 { parts.append("\(report.failures) not read") }
    let found =
      report.files > 0
      ? "\(TreeQueue.count(report.files, "file", "files")) in \(directories)"
      : nothing(in: directories)
    let what = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    var lines = ["\(start.url): \(found)\(what)"]
    if report.loops > 0 {
      lines.append(
        "\(start.url): \(TreeQueue.count(report.loops, "link that leads", "links that lead")) back to a directory above"
          + " \(report.loops == 1 ? "was" : "were") not followed")
    }
    if !report.dropped.isEmpty { lines.append("\(start.url): left out: \(report.dropped.words)") }
    if report.others > 0 {
      lines.append(
        "\(start.url): \(TreeQueue.count(report.others, "link or device was", "links and devices were")) left out")
    }
    return lines
  }

  private static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  // MARK: Queueing

  func foundUpToDate(_ path: String) async {
    unchanged += 1
    if style.verbose { await say("up to date: \(path)") }
    if style.printsPaths { ResultOutput.standard.write(path + "\n") }
  }

  func admitted(_ admitted: [Admission], _ jobs: [JobSpecification]) async throws {
    let ids = admissions.report(admitted, jobs)
    try await AdmissionReport.resumePaused(admitted, manager)
    queued += ids.count
    for admission in admitted {
      switch admission {
      case .alreadyComplete, .present: unchanged += 1
      case .skipped: skipped += 1
      case .job: break
      }
    }
    if !ids.isEmpty { try await take(ids) }
  }
}
