// The options of a runner that shares a queue with other runners: its name, its jobs, and its grace time.

internal import ArgumentParser
internal import DrayKit
internal import DrayServer
internal import Posix

struct FleetArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Transfer only the jobs that have this label; may be repeated, or a comma-separated list.",
      discussion: "Jobs get labels by --label of `get` and `add`. Of several, a job must have all.", valueName: "label")
  )
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Name this runner, for `dray show` and the metrics (default: the host's name and the process number).",
      discussion: "Only the database of many machines keeps names (--store).", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "After SIGTERM, hand jobs back and end within this time (default: 10s with --store postgresql://…, else no limit).",
      discussion: """
        Received bytes are made durable and the jobs go back into the queue. What is not done in time is left to the others: \
        they take the jobs at once. Give the system that stops the runner a few seconds more.
        """, valueName: "time"))
  var grace: String?

  @Option(
    help: ArgumentHelp(
      "Answer /metrics (Prometheus) and /health at this address while the run lasts.",
      discussion: """
        ADDRESS:PORT, [ADDRESS]:PORT, localhost:PORT, *:PORT for all addresses, or unix:PATH. No secret is asked for, so the figures have \
        the names of servers and counts, but no URL and no path. `dray serve` has both at its own addresses.
        """, valueName: "address"))
  var metrics: String?

  /// Starts the server for metrics if the options ask for one.
  /// - Throws: Kind `usage` for an invalid address, and kind `network` or `file` if the server cannot listen.
  func server(_ manager: DownloadManager, _ runner: Runner) throws(Failure) -> MetricsServer? {
    guard let metrics else { return nil }
    return try MetricsServer(metrics, names: [System.hostName], manager) { runner.metrics() }
  }

  /// Checks the options.
  /// - Throws: Kind `usage`.
  func check() throws(Failure) {
    _ = try (labels(), runnerName(), graceTime(isShared: true))
    if let metrics { try MetricsServer.check(metrics) }
  }

  /// The number of seconds that a runner has after SIGTERM by default, if other runners can continue its jobs.
  static let usualGrace = 10.0

  /// Returns the labels that the runner's jobs must have.
  /// - Throws: Kind `usage`.
  func labels() throws(Failure) -> [JobLabel] { try LabelWords.read(only, "--only") }

  /// Returns which jobs the run transfers.
  /// - Throws: Kind `usage`.
  func scope() throws(Failure) -> RunScope {
    let labels = try labels()
    return labels.isEmpty ? .all : .labelled(labels)
  }

  /// Returns the name of the runner.
  /// - Throws: Kind `usage` if the name is empty or too long.
  func runnerName() throws(Failure) -> String? {
    guard let name else { return RunOptions().name }
    guard !name.isEmpty, name.utf8.count <= 200 else {
      throw OptionValue.bad("--name", "it must have 1 to 200 bytes")
    }
    return TextSafety.escaped(name)
  }

  /// Returns the number of seconds that the runner has after SIGTERM; `nil` for no limit.
  /// - Throws: Kind `usage`.
  func graceTime(isShared: Bool) throws(Failure) -> Double? {
    if let grace { return try OptionValue.seconds(grace, "--grace") }
    return isShared ? FleetArguments.usualGrace : nil
  }
}
