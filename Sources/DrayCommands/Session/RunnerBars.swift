// The jobs that any process transfers, as bars. No effects, no clock.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

struct RunnerBars {
  private var bars: [JobID: LiveBar] = [:]

  /// Returns the jobs of these entries without a bar.
  func new(in entries: [JobID: ProgressEntry]) -> [JobID] { entries.keys.filter { bars[$0] == nil }.sorted() }

  /// Updates the bars at `now` with the runners' progress.
  /// - Parameter new: The jobs without a bar, for their names.
  /// - Returns: The jobs that are no longer active.
  mutating func take(_ entries: [JobID: ProgressEntry], now: Double, new: [Job]) -> [JobID] {
    for job in new {
      let url = job.specification.request.url
      bars[job.id] = LiveBar(job.id, name: URLName.text(url.string, file: job.fileName), host: url.origin.host)
    }
    for (id, entry) in entries { bars[id]?.take(JobLook(entry), now: now) }
    let gone = bars.keys.filter { entries[$0] == nil }.sorted()
    for id in gone { bars[id] = nil }
    return gone
  }

  /// The active jobs, by id.
  var items: [BarItem] { bars.values.map(\.item).sorted { $0.id < $1.id } }

  /// Returns the totals of the active and the queued jobs.
  /// - Parameter limit: The limit of all runners together, in bytes per second, if there is one.
  func totals(_ counts: [JobState: Int], limit: Int64? = nil) -> Totals {
    var totals = Totals(items)
    totals.limit = limit
    totals.queued = counts[.queued, default: 0]
    totals.unknownSizes += totals.queued
    return totals
  }
}
