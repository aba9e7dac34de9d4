// The figures that `/metrics` shows. docs/fleet.md lists them.

package import DrayKit
internal import DrayStore
internal import FoundationEssentials

/// The metrics of a queue, and of the run in this process.
package enum MetricsPage {
  /// - Parameters:
  ///   - queue: The queue over all runners.
  ///   - run: The run of this process; `nil` if none runs now.
  ///   - version: The version of the program.
  package static func text(_ queue: QueueMetrics, _ run: RunMetrics?, version: String) -> String {
    var page = MetricsText()
    page.begin("dray_build_info", .gauge, "The version of dray.")
    page.sample(1, ["version": version])
    write(queue, to: &page)
    if let run { write(run, to: &page) }
    return page.text
  }

  private static func write(_ queue: QueueMetrics, to page: inout MetricsText) {
    page.begin("dray_jobs", .gauge, "Jobs in the queue, by state.")
    for state in JobState.allCases { page.sample(queue.states[state] ?? 0, ["state": state.rawValue]) }
    page.add("dray_runners", .gauge, "Live runners of the queue, over all machines.", Double(queue.runners.count))
    let leased = queue.runners.filter { $0.leaseAge != nil }
    if !leased.isEmpty {
      page.begin("dray_runner_lease_age_seconds", .gauge, "Seconds since a runner's lease was renewed.")
      for one in leased.prefix(mostRunners) {
        page.sample(one.leaseAge ?? 0, ["runner": one.name ?? one.runner.uuidString])
      }
    }
    if !queue.failures.isEmpty {
      page.begin("dray_runner_failed_attempts", .gauge, "Attempts that failed within the last hour, by runner.")
      // Show the runners with the most failures: a machine that spoils jobs is among them.
      let failures = queue.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for (name, count) in failures.prefix(mostRunners) { page.sample(count, ["runner": name]) }
    }
    page.begin("dray_rate_bytes", .gauge, "Bytes per second that all runners receive, by origin.")
    let origins = queue.origins.sorted { $0.key < $1.key }
    for (origin, activity) in origins { page.sample(activity.rate, ["origin": origin]) }
    page.begin("dray_active_jobs", .gauge, "Jobs that are being transferred by all runners, by origin.")
    for (origin, activity) in origins { page.sample(activity.jobs, ["origin": origin]) }
    page.add("dray_holds", .gauge, "Origins whose server asked to wait.", Double(queue.holds.count))
    page.begin("dray_hold_seconds", .gauge, "Seconds until the hold of an origin ends.")
    for hold in queue.holds.prefix(RunMetrics.most) {
      page.sample(max(0, (hold.until - queue.time).rounded()), ["origin": hold.origin])
    }
  }

  private static func write(_ run: RunMetrics, to page: inout MetricsText) {
    page.add("dray_run_received_bytes_total", .counter, "Bytes that this run received.", Double(run.total.received))
    page.begin("dray_run_jobs_total", .counter, "Ends of jobs in this run, by outcome.")
    for (outcome, count) in [
      ("complete", run.total.complete), ("failed", run.total.failed), ("interrupted", run.total.interrupted),
    ] {
      page.sample(count, ["outcome": outcome])
    }
    page.add("dray_run_retries_total", .counter, "Retries in this run.", Double(run.total.retries))
    let origins = run.origins.sorted { $0.key < $1.key }
    page.begin("dray_run_origin_received_bytes_total", .counter, "Bytes that this run received, by origin.")
    for (origin, counts) in origins { page.sample(Double(counts.received), ["origin": origin]) }
    page.begin("dray_run_origin_jobs_total", .counter, "Ends of jobs in this run, by origin and outcome.")
    for (origin, counts) in origins {
      page.sample(counts.complete, ["origin": origin, "outcome": "complete"])
      page.sample(counts.failed, ["origin": origin, "outcome": "failed"])
      page.sample(counts.interrupted, ["origin": origin, "outcome": "interrupted"])
    }
    page.begin("dray_run_origin_retries_total", .counter, "Retries in this run, by origin.")
    for (origin, counts) in origins { page.sample(counts.retries, ["origin": origin]) }
    page.add(
      "dray_run_suspensions_total", .counter, "How often this run stopped its transfers, as its store was away.",
      Double(run.suspensions))
    page.add("dray_run_suspended", .gauge, "1 while this run waits for its store.", run.isSuspended ? 1 : 0)
    guard let remaining = run.leaseRemaining else { return }
    page.add("dray_run_lease_seconds", .gauge, "Seconds until this run's lease ends unless it is renewed.", remaining)
  }

  /// The maximum number of runners with separate figures.
  private static let mostRunners = 200
}
