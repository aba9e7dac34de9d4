// The bars of the jobs that any process transfers. The code in this file has no effects outside its values, and reads
// no clock.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

struct RunnerBars {
  private var bars: [JobID: LiveBar] = [:]

  /// Returns the given jobs that have no bar yet.
  func new(in entries: [JobID: ProgressEntry]) -> [JobID] { entries.keys.filter { bars[$0] == nil }.sorted() }

  /// Updates the bars with the progress that runners report. `now` is in seconds of a monotonic clock.
  /// - Parameter new: The records of the jobs that have no bar yet, which contain the names to show.
  /// - Returns: The jobs that are no longer active.
  mutating func take(_ entries: [JobID: ProgressEntry], now: Double, new: [Job]) -> [JobID] {
    for job in new {
      let url = job.specification.request.url
      let name = URLName.text(url.string, file: job.title ?? job.fileName)
      bars[job.id] = LiveBar(job.id, name: name, host: url.origin.host)
    }
    for (id, entry) in entries { bars[id]?.take(JobLook(entry), now: now) }
    let gone = bars.keys.filter { entries[$0] == nil }.sorted()
    for id in gone { bars[id] = nil }
    return gone
  }

  /// The bars of the active jobs, ordered by the jobs' ids.
  var items: [BarItem] { bars.values.map(\.item).sorted { $0.id < $1.id } }

  /// Returns the totals of the active and the queued jobs.
  /// - Parameter limit: The limit of all runners together in bytes per second; `nil` if there is none.
  func totals(_ counts: [JobState: Int], limit: Int64? = nil) -> Totals {
    var totals = Totals(items)
    totals.limit = limit
    totals.queued = counts[.queued, default: 0]
    totals.unknownSizes += totals.queued
    return totals
  }
}
