// What somebody who follows the events is told.

internal import DrayCore
internal import DrayStore

/// What somebody has missed.
struct EventNews: Sendable {
  /// nil if that is not known any more: then the client has to load everything again.
  var changes: EventJournal.News?
  var cursor: EventCursor
  /// How far the active jobs are, and which reading of it this is.
  var progress: [JobID: ProgressEntry]
  var progressNumber: Int
  var counts: [JobState: Int]
  /// Beats so far.
  var beats: Int
}
