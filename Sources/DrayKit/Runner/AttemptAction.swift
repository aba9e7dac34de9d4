// The actions of an attempt, and the results that are reported to its state machine.

internal import DrayEngine
internal import DrayStore

/// A file of which all bytes are on disk.
struct WholeFile: Sendable {
  var part: any PartStorage
  var size: Int64
  /// The answer that delivered the file; `nil` if unknown.
  var response: ResponseRecord?
  /// The digests that the file's server offers.
  var offered: [SourcedDigest] = []
  /// Whether the bytes came in several answers. Each answer may be valid although the answers do not fit together.
  var isResumed: Bool
  /// Whether bytes that the job has from seeds, if any, are among the bytes; `false` if they were given up.
  var hasSeeds = true
  var note: String?
}

extension AttemptStateMachine {
  /// The kinds of attempts that the run counts.
  enum Place: Sendable {
    /// The attempt counts as one in a slot.
    case slot
    /// The attempt counts as one of the files that wait for their publish; its slot is free again.
    case backlog
    /// The attempt counts as one whose file the publisher has.
    case publisher
  }

  /// Where an attempt begins.
  enum Beginning {
    case slot
    /// The attempt takes over a transfer that began earlier.
    case transfer
    /// The attempt begins with the publish of a small file, which had no attempt until then.
    case publish
  }

  /// The next action.
  indirect enum Action: Sendable {
    /// Do nothing, because another part of the run reports next, or the attempt has left.
    case wait
    /// Examine the share, the part file and the target. With a plan, the destination was already examined.
    case plan(Result<AttemptPlan, Failure>?)
    /// Examine the files that an interrupted publish has left.
    case findPublished
    case transfer(TransferPlan)
    /// Keep the cookies of a transfer that ended, and examine its end.
    case receive(TransferOutcome)
    case check(WholeFile)
    /// Bring a checked file to its target's place.
    case stage(any PartStorage, size: Int64)
    case publish(any PartStorage, size: Int64, PublishFacts)
    /// Examine whether the file has its name although this failure was reported.
    case lookAgain(Failure)
    /// Record a file that was published before this attempt.
    case record(Finished, path: String)
    /// Compare an object that was published before this attempt with its digests, then record the object.
    case prove(Finished, path: String)
    /// Complete a job whose answer is not a file.
    case finishWithoutFile(ResponseRecord?)
    /// Complete a job whose target is the server's file. With `compared`, the bytes of both files were compared.
    case finishUpToDate(ResponseRecord?, compared: Compared?)
    /// Forget all records of the part, which was renamed or will be removed.
    case abandonPart(then: Action)
    /// Record that a whole file is fetched or sent once more, unless that was already recorded.
    case recordRetry
    /// Look for a remedy for wrong bytes: in the pieces of this file, or by fetching a resumed file once more.
    case seekRemedy(WholeFile?, isResumed: Bool)
    /// Read the pending commands. If the run can no longer use its store, leave with this failure instead.
    case pollCommands(after: Failure?)
    /// Find out whether the share of the job's directory is the cause of a failure.
    case judgeShare(Failure)
    case end(AttemptEnd, TransferOutcome?)
    /// Leave the job to its new owner.
    case endLost(Failure)
    /// Queue the job again, because its command was withdrawn.
    case withdrawCommand
    /// Leave the run, and report the end of the job.
    case leave(JobEvent.Kind, bytes: Int64)
    /// Leave a run that can record nothing.
    case leaveFailing(Failure)
  }

  /// The digest of the received bytes, which were compared with those of the target; `nil` if no digest is known.
  struct Compared: Sendable { var digest: SourcedDigest? }

  enum Received: Sendable {
    case whole(WholeFile)
    /// The answer has no body.
    case answered(ResponseRecord?)
    /// The target is the server's version, or differs from it in length.
    case upToDate(ResponseRecord?, hasOtherLength: Bool)
    case cancelled
    case failed(Failure, TransferOutcome)
  }

  /// The result of checking a complete file.
  enum Checked: Sendable {
    /// The file is right, and at the place of its target.
    case right(any PartStorage, PublishFacts)
    /// The target already has the server's version.
    case upToDate
    case wrong(Failure, CheckStep)
    case stopped
  }

  /// The steps of the check, in their order.
  enum CheckStep: Sendable {
    /// The rules that depend on the answer.
    case rules
    case length
    /// The damaged blocks of a published file that were fetched again.
    case repair
    /// The damaged blocks of a part file that were fetched again.
    case blocks
    /// The store's record of these blocks.
    case store
    /// The lists of digests beside the file, and whether any digest exists.
    case lists
    /// The digests of this file, which may already be at its target's place.
    case digests(of: WholeFile)
    /// Bringing the file to its target's place.
    case target
  }
}

extension Failure {
  /// The failure of a publish that ended because its run was suspended for a short time.
  static func searchInterrupted(_ path: String) -> Failure {
    Failure(.other, path, "the search for a free name was interrupted", recovery: .retry)
  }
}
