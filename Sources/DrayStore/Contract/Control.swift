// What people may want of a job from any process, and what follows in which state: a table, no effects.

public import DrayCore

/// What is wanted of a job.
public enum ControlAction: String, Sendable, CaseIterable {
  /// Stop, keep the bytes, and wait for `resume`.
  case pause
  /// Queue it again with what it has.
  case resume
  /// Start it over from nothing.
  case retry
  /// Forget it.
  case remove
  /// Fetch the same file from another URL.
  case setURL
}

/// What became of a command.
public enum ControlResult: Sendable, Equatable {
  /// It is so: the job as it is now, or as it was before it was removed.
  case done(Job)
  /// The runner that holds it was asked.
  case asked(Job)
  /// It cannot be, for this reason.
  case refused(String, advice: Advice? = nil)
  /// There is no such job.
  case unknown
}

/// What an action does to a job in a state.
package enum ControlMove: Equatable {
  case to(JobState)
  case delete
  case ask(JobCommand)
  /// A command that has not been seen yet is taken back.
  case withdraw
  case refuse(String, advice: Advice? = nil)

  /// The table of legal and illegal commands.
  package static func decide(_ action: ControlAction, in state: JobState) -> ControlMove {
    switch (action, state) {
    case (.remove, .active): .ask(.remove)
    case (.remove, _): .delete

    case (.pause, .active): .ask(.pause)
    case (.pause, .queued), (.pause, .interrupted), (.pause, .paused): .to(.paused)
    case (.pause, .complete): .refuse("it is already complete")
    case (.pause, .failed): .refuse("it has failed", advice: "\(.retry) starts it over")

    case (.resume, .active): .withdraw
    case (.resume, .queued), (.resume, .interrupted), (.resume, .paused): .to(.queued)
    case (.resume, .complete): .refuse("it is already complete")
    case (.resume, .failed): .refuse("it has failed", advice: "\(.retry) starts it over")

    case (.retry, .active): .ask(.retry)
    case (.retry, .failed), (.retry, .interrupted), (.retry, .complete): .to(.queued)
    case (.retry, .queued): .refuse("it is already queued", advice: "\(.run) transfers it; \(.resume) cancels a delay")
    case (.retry, .paused): .refuse("it is paused", advice: "\(.resume) continues it")

    case (.setURL, .active): .ask(.restart)
    case (.setURL, .queued), (.setURL, .failed), (.setURL, .interrupted): .to(.queued)
    case (.setURL, .paused): .to(.paused)
    case (.setURL, .complete): .refuse("it is complete", advice: "\(.get) fetches another URL")
    }
  }
}
