// The commands that any process may give to a job, and a table of what each command does in each state of a job.

package import DrayCore

package enum ControlAction: String, Sendable, CaseIterable {
  /// Stop, keep the bytes, and wait for `resume`.
  case pause
  /// Queue the job again; its bytes are kept.
  case resume
  /// Start over without the bytes.
  case retry
  /// Remove the job from the store.
  case remove
  /// Fetch the same file from a different URL.
  case setURL
}

/// The result of one step of a command for all jobs (``JobReading/control(_:allIn:after:limit:)``).
package struct ControlPage: Sendable, Equatable {
  /// The number of jobs for which the command was carried out.
  package var done = 0
  /// The jobs that need more than a change of the store.
  package var rest: [JobID] = []
  /// The last job of the step; `nil` if no job was left.
  package var last: JobID?

  package init() {}
}

/// The changes that a command makes to jobs without an owner, in a single step.
package struct ControlPlan {
  /// The jobs to delete.
  package var gone: [JobID] = []
  /// The jobs that change their state, keyed by the new state.
  package var moved: [JobState: [JobID]] = [:]
  /// The jobs that need more than a change of the store.
  package var rest: [JobID] = []
  package var last: JobID?

  package init() {}

  /// Adds the next job. A job in an unknown state is left out.
  package mutating func add(_ id: JobID, _ state: JobState?, _ action: ControlAction) {
    last = id
    switch state.map({ ControlMove.decide(action, in: $0) }) {
    case .delete?: gone.append(id)
    case .to(let state)?: moved[state, default: []].append(id)
    case nil: break
    default: rest.append(id)
    }
  }
}

/// The effect of a command on a job in some state.
package enum ControlMove: Equatable {
  case to(JobState)
  case delete
  case ask(JobCommand)
  /// Withdraw a command that the runner has not seen yet.
  case withdraw
  case refuse(String, advice: Advice? = nil)

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
