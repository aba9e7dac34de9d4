// What an attempt does next, and what comes of it.

internal import DrayEngine
internal import DrayStore

/// A file whose bytes are all on disk.
struct WholeFile: Sendable {
  var part: any PartStorage
  var size: Int64
  /// The answer that delivered it; `nil` if none is known.
  var response: ResponseRecord?
  /// The digests that its server offers.
  var offered: [SourcedDigest] = []
  /// Whether its bytes came in several answers. Each may be valid, but they may not fit together.
  var isResumed: Bool
  var note: String?
}

extension AttemptStateMachine {
  /// Where an attempt counts in its run.
  enum Place: Sendable {
    /// It holds a slot.
    case slot
    /// It has returned its slot, and counts among the files that wait to be published.
    case backlog
    /// The publisher has its file.
    case publisher
  }

  /// Where an attempt begins.
  enum Beginning {
    /// With its slot.
    case slot
    /// With a transfer that has begun without it.
    case transfer
    /// With the publish of a small file, which had no attempt.
    case publish
  }

  /// What to do next.
  indirect enum Action: Sendable {
    /// Nothing: another part of the run reports next, or the attempt has left.
    case wait
    /// Look at share, part file and target; at the target only if it has no plan yet.
    case plan(Result<AttemptPlan, Failure>?)
    /// Look at what an interrupted publish has left.
    case findPublished
    case transfer(TransferPlan)
    /// Keep the cookies of a transfer that ended, and look at its end.
    case receive(TransferOutcome)
    case check(WholeFile)
    /// Bring a checked file beside its target.
    case stage(any PartStorage, size: Int64)
    /// Hand the file to the publisher.
    case publish(any PartStorage, size: Int64, PublishFacts)
    /// Look whether the file has its name, although this failure was reported.
    case lookAgain(Failure)
    /// Record a file that was published before this attempt.
    case record(Finished, path: String)
    /// Compare such an object with its digests, then record it.
    case prove(Finished, path: String)
    /// Complete a job whose answer is no file.
    case finishWithoutFile(ResponseRecord?)
    /// Complete a job whose target is the server's file; by its bytes, if they were compared.
    case finishUpToDate(ResponseRecord?, compared: Compared?)
    /// Give up every claim on the part, which was renamed or will be removed.
    case abandonPart(then: Action)
    /// Record that a whole file is fetched or sent once more, if that was not done before.
    case recordRetry
    /// Look for a remedy for wrong bytes: in the pieces of this file, or by fetching a continued file once more.
    case seekRemedy(WholeFile?, isResumed: Bool)
    /// Read the pending commands. A run that has lost its store leaves with the failure instead.
    case pollCommands(after: Failure?)
    /// Ask whether the share of its directory caused a failure.
    case judgeShare(Failure)
    /// Carry out what `AttemptEnding` decides.
    case end(AttemptEnd, TransferOutcome?)
    /// Leave the job to its new holder.
    case endLost(Failure)
    /// Queue the job again, whose command was withdrawn.
    case withdrawCommand
    /// Leave the run, and report the end of the job.
    case leave(JobEvent.Kind, bytes: Int64)
    /// Leave a run that cannot record anything.
    case leaveFailing(Failure)
  }

  /// The digest of the bytes that were compared with those of the target, if one is known.
  struct Compared: Sendable { var digest: SourcedDigest? }

  /// The end of a transfer.
  enum Received: Sendable {
    case whole(WholeFile)
    /// The answer has no body.
    case answered(ResponseRecord?)
    /// The target has the server's version, or another length.
    case upToDate(ResponseRecord?, hasOtherLength: Bool)
    case cancelled
    case failed(Failure, TransferOutcome)
  }

  /// What the check of a complete file has found.
  enum Checked: Sendable {
    /// The file is right, and beside its target.
    case right(any PartStorage, PublishFacts)
    /// The target has the server's version.
    case upToDate
    /// A step of the check failed.
    case wrong(Failure, CheckStep)
    /// The attempt or the run was stopped.
    case stopped
  }

  /// The steps of the check, in their order.
  enum CheckStep: Sendable {
    /// The rules that the answer decides.
    case rules
    case length
    /// The damaged blocks of a published file, fetched again.
    case repair
    /// The damaged blocks of a part file, fetched again.
    case blocks
    /// What the store knows of them.
    case store
    /// The digests of this file, which may have been brought beside its target before.
    case digests(of: WholeFile)
    /// The target, beside which the file is brought.
    case target
  }
}
