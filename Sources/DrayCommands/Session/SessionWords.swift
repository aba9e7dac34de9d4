// The messages of a run about itself: why it waits, where its file is, and that certificates are not checked.

internal import DrayKit
internal import Threads

/// The texts that say why a run transfers nothing.
enum IdleWords {
  static func line(_ snapshot: RunnerSnapshot) -> String {
    let queued = snapshot.queued
    if let opening = snapshot.opening {
      return "outside the window: transfers at \(TimeStamp.moment(opening, now: WallClock.now())), Ctrl-C ends"
    }
    guard queued > 0 else { return "waiting for jobs: `dray add URL` queues one, Ctrl-C ends" }
    let jobs =
      queued == 1 ? "1 job is queued and waits for its time" : "\(queued) jobs are queued and wait for their time"
    return "\(jobs) or another job: `dray list` shows which, Ctrl-C ends"
  }
}

/// The text that explains why the pipe in `dray get URL | sh` is empty.
enum PipeWords {
  /// Returns the message about a complete file.
  static func line(_ path: String) -> String { "saved as \(path); \(advice)" }

  static let advice = "-o - writes the file to the pipe, --print-path its path"
}
