// What others transfer, as bars: out of the boards of all runners. No effects, no clock.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

struct WatchModel {
  private struct Track {
    var item: BarItem
    var estimator = RateEstimator()
  }

  private var tracks: [JobID: Track] = [:]

  /// The jobs of these entries that have no bar yet.
  func new(in entries: [JobID: ProgressEntry]) -> [JobID] { entries.keys.filter { tracks[$0] == nil }.sorted() }

  /// Receives what the runners show at `now`.
  /// - Parameter new: the jobs that have no bar yet, for their names.
  /// - Returns: the jobs that were active and are not any more.
  mutating func take(_ entries: [JobID: ProgressEntry], now: Double, new: [Job]) -> [JobID] {
    for job in new {
      let name = job.fileName.map(TextSafety.escaped) ?? URLName.text(job.specification.request.url.string)
      tracks[job.id] = Track(item: BarItem(id: Int(job.id), name: name, state: .connecting))
    }
    for (id, entry) in entries {
      guard var track = tracks[id] else { continue }
      let before = track.item.state
      track.item.state = BarState(entry.phase)
      if (before == .sending) != (track.item.state == .sending) { track.estimator.reset() }
      track.item.received = entry.received
      track.item.size = entry.size
      track.item.connections = entry.connections
      track.item.map = entry.parts.flatMap { parts in
        entry.size.map { FileMap(size: $0, done: parts.done.segments, fetching: parts.fetching) }
      }
      track.estimator.update(time: now, bytes: entry.received)
      track.item.rate = [.active, .sending].contains(track.item.state) ? track.estimator.rate ?? entry.rate : nil
      track.item.eta = track.estimator.eta(size: entry.size)
      tracks[id] = track
    }
    let gone = tracks.keys.filter { entries[$0] == nil }.sorted()
    for id in gone { tracks[id] = nil }
    return gone
  }

  /// The active jobs, by their numbers.
  var items: [BarItem] { tracks.values.map(\.item).sorted { $0.id < $1.id } }

  /// All of them, and what waits.
  func totals(_ counts: [JobState: Int]) -> Totals {
    var totals = Totals(items)
    totals.queued = counts[.queued, default: 0]
    totals.unknownSizes += totals.queued
    return totals
  }
}

extension BarState {
  init(_ phase: ProgressEntry.Phase) {
    self =
      switch phase {
      case .waiting: .retrying
      case .connecting: .connecting
      case .sending: .sending
      case .receiving: .active
      case .verifying: .verifying
      case .publishing: .publishing
      }
  }
}
