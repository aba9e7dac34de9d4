// Detects changes of jobs by comparing all jobs with their earlier state.

internal import DrayCore
internal import DrayKit
internal import DrayStore

extension JobFeed {
  /// Compares all unfinished jobs, and jobs that have just ended, with their earlier state.
  func compare(_ records: [JobSummary]) async {
    var rest = Set(pictures.keys)
    var changed: [JobID] = []
    var isReordered = false
    for record in records {
      rest.remove(record.id)
      let (before, now) = (pictures[record.id], JobPicture(record))
      keep(now, of: record.id)
      guard before != now else { continue }
      if JobPicture.isMoved(before, now, id: record.id) { isReordered = true }
      if before != nil || !now.state.isFinished { changed.append(record.id) }
    }
    journal.changed(changed)
    // The jobs that remain in `rest` have ended or were removed.
    for id in rest { pictures[id] = nil }
    if !rest.isEmpty, let left = try? await manager.jobs.states(of: rest) {
      journal.changed(left.keys.sorted())
      for (id, state) in left where state.isFinished { finished.insert(id) }
      journal.removed(rest.subtracting(left.keys).sorted())
    }
    await compareFinished()
    if isReordered { journal.reorder() }
  }

  private func keep(_ picture: JobPicture, of id: JobID) {
    if picture.state.isFinished {
      pictures[id] = nil
      if finished.insert(id).inserted { journal.changed([id]) }
    } else {
      pictures[id] = picture
      finished.remove(id)
    }
  }

  /// Compares the finished jobs with their earlier state, but only if their number is not the expected one.
  private func compareFinished() async {
    guard let counts = try? await manager.jobs.counts(ids: nil) else { return }
    self.counts = counts
    let count = counts.reduce(0) { $1.key.isFinished ? $0 + $1.value : $0 }
    guard count != finished.count, let ids = try? await manager.jobs.ids(states: [.complete, .failed]) else { return }
    let now = Set(ids)
    let gone = finished.subtracting(now)
    let left = (try? await manager.jobs.states(of: gone)) ?? [:]
    journal.removed(gone.subtracting(left.keys).sorted())
    journal.changed(now.subtracting(finished).sorted())
    finished = now
  }
}
