// The news for a client that follows the events.

internal import DrayCore
internal import DrayStore

struct EventNews: Sendable {
  /// The changes; `nil` if they are no longer known, so that the client must reload everything.
  var changes: EventJournal.News?
  var cursor: EventCursor
  /// The progress of the active jobs, and the number of the reading.
  var progress: [JobID: ProgressEntry]
  var progressNumber: Int
  var counts: [JobState: Int]
  /// The number of beats so far.
  var beats: Int
}
