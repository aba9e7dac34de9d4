// The text of metrics: its escapes, its numbers, and the figures of a queue and a run.

import DrayKit
import DrayStore
import Foundation
import Testing

@testable import DrayKit
@testable import DrayWire

@Suite struct MetricsTextTests {
  @Test(
    "numbers",
    arguments: [
      (0, "0"), (3, "3"), (-2, "-2"), (1.5, "1.5"), (1e15, "1000000000000000"), (.infinity, "+Inf"),
      (-.infinity, "-Inf"),
    ] as [(Double, String)])
  func numbers(_ value: Double, _ text: String) { #expect(MetricsText.number(value) == text) }

  @Test("a metric, its help and its labels")
  func labels() {
    var page = MetricsText()
    page.begin("m", .counter, "a \\ \"b\"\nc")
    page.sample(1)
    page.sample(2, ["origin": "http://h\\ \"x\"\ny", "b": "é"])
    #expect(
      page.text == """
        # HELP m a \\\\ "b"\\nc
        # TYPE m counter
        m 1
        m{origin="http://h\\\\ \\"x\\"\\ny",b="é"} 2

        """)
    #expect(MetricsText.number(.nan) == "NaN")
  }

  @Test("a queue and a run: each line is a comment or a sample, and a metric begins once")
  func page() throws {
    let origin = try RequestURL.parse("https://h/").url.origin
    var queue = QueueMetrics(
      states: [.queued: 3],
      runners: [RunnerRecord(runner: UUID(), name: "n1", leaseAge: 2.5), RunnerRecord(runner: UUID())],
      holds: [OriginHold(origin, until: 160, since: 90)], time: 100)
    queue.add(ProgressEntry(job: 1, received: 1, size: nil, rate: 5, phase: .receiving), of: "https://h")
    queue.add(ProgressEntry(job: 2, received: 1, size: nil, rate: 7, phase: .receiving), of: "https://h")
    queue.failures = ["n1": 2, "n2": 1450]
    var run = RunMetrics()
    run.add(RunMetrics.Counts(received: 10, complete: 1), of: "https://h")
    run.leaseRemaining = 12
    let text = MetricsPage.text(queue, run, version: "1.2")
    for line in [
      #"dray_build_info{version="1.2"} 1"#, #"dray_jobs{state="queued"} 3"#, #"dray_jobs{state="failed"} 0"#,
      #"dray_runner_failed_attempts{runner="n2"} 1450"#, #"dray_runner_failed_attempts{runner="n1"} 2"#,
      "dray_runners 2", #"dray_runner_lease_age_seconds{runner="n1"} 2.5"#, #"dray_rate_bytes{origin="https://h"} 12"#,
      #"dray_active_jobs{origin="https://h"} 2"#, "dray_holds 1", #"dray_hold_seconds{origin="https://h"} 60"#,
      "dray_run_received_bytes_total 10", #"dray_run_jobs_total{outcome="complete"} 1"#, "dray_run_lease_seconds 12",
      #"dray_run_origin_jobs_total{origin="https://h",outcome="complete"} 1"#, "dray_run_suspended 0",
    ] { #expect(text.contains("\n\(line)\n"), "\(line)\n\(text)") }
    let types = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(types).count == types.count)
    #expect(!MetricsPage.text(queue, nil, version: "1").contains("dray_run_"))
  }

  @Test("the number of origins is bounded")
  func bound() {
    var run = RunMetrics()
    var queue = QueueMetrics(states: [:], time: 0)
    for index in 0..<200 {
      run.add(RunMetrics.Counts(received: 1), of: "http://h\(index)")
      queue.add(ProgressEntry(job: 1, received: 0, size: nil, rate: 1, phase: .receiving), of: "http://h\(index)")
    }
    #expect(run.total.received == 200 && run.origins.count == RunMetrics.most + 1)
    #expect(run.origins[RunMetrics.others]?.received == Int64(200 - RunMetrics.most))
    #expect(queue.origins.count == RunMetrics.most + 1 && queue.origins.reduce(0) { $0 + $1.value.jobs } == 200)
  }
}
