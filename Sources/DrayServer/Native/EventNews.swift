// What is new for a client that follows the events.

internal import DrayCore
internal import DrayStore

struct EventNews: Sendable {
  /// The changes of jobs; `nil` if they are no longer known, in which case the client must load everything again.
  var changes: EventJournal.News?
  var cursor: EventCursor
  /// The progress of the active jobs, and a number that grows when the progress is read.
  var progress: [JobID: ProgressEntry]
  var progressNumber: Int
  var counts: [JobState: Int]
  /// The number of heartbeats so far.
  var beats: Int
}
