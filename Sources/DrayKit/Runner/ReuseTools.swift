// What adopting a file and seeding have in common: samples are compared with the server's file, and files are read on a
// thread that may block.

internal import DrayEngine
internal import Threads

/// The bytes that a job took from other files.
struct ReusedBytes<Outcome: Sendable>: Sendable {
  /// The checkpoint that can be recorded for all bytes of the job.
  var checkpoint: Checkpoint
  /// The answer that identified the version.
  var response: ResponseRecord
  /// The outcome, to be recorded.
  var outcome: Outcome
}

typealias AdoptedBytes = ReusedBytes<Adoption.Outcome>
typealias SeededBytes = ReusedBytes<Seeding.Outcome>

/// The reasons for which a server's answer proves nothing about other files.
protocol ComparisonRefusal: Sendable {
  /// The server does not serve ranges.
  static var notServed: Self { get }
  /// The server refuses to send a part, for this reason.
  static func refused(_ reason: String) -> Self
  /// The server's file changed during the comparison.
  static func unsteady(_ change: StartOver) -> Self
}

extension AdoptionRefusal: ComparisonRefusal {}
extension SeedRefusal: ComparisonRefusal {}

struct ReuseTools<Refusal: ComparisonRefusal>: Sendable {
  let plan: TransferPlan
  let engine: Engine
  private let signal: RunSignal
  private let cancelFlag: EndFlag
  /// The thread that reads files, because reading large ones takes long.
  private let executor: BlockingExecutor

  /// - Parameters:
  ///   - label: The name of the thread in debuggers.
  ///   - cancelFlag: Whether the attempt is cancelled; in that case nothing is taken.
  init(_ label: String, _ plan: TransferPlan, _ engine: Engine, _ signal: RunSignal, _ cancelFlag: EndFlag) {
    (self.plan, self.engine, self.signal, self.cancelFlag) = (plan, engine, signal, cancelFlag)
    executor = BlockingExecutor(label)
  }

  var isCancelled: Bool { signal.isStopping || cancelFlag.isSet }

  /// Compares samples with the server's file.
  /// - Parameters:
  ///   - known: The result of an earlier comparison with the same version.
  ///   - unless: If the server's version meets this condition, the error is `unchanged`.
  func compare(
    _ file: any StoredBytes, _ places: [Segment], known: SampleReport? = nil, digestIsKnown: Bool,
    unless: CacheCondition? = nil
  ) async throws(ReuseError<Refusal>) -> SampleReport {
    var task = SampleTask(plan.request, file, places)
    (task.cookies, task.limiters, task.verify) = (plan.cookies, plan.limiters, plan.verify)
    (task.known, task.digestIsKnown, task.retried) = (known, digestIsKnown, plan.retried)
    task.unless = unless
    task.isCancelled = { [self] in isCancelled }
    switch await engine.compare(task) {
    case .compared(let report): return report
    case .notServed: throw .refused(.notServed)
    case .changed(let reason): throw .refused(.unsteady(reason))
    case .unchanged: throw .unchanged
    case .cancelled: throw .cancelled
    // The server may still answer a request for the whole file. If the server refuses that request as well, its failure
    // says more than this one.
    case .failed(let failure) where failure.httpStatus != nil && failure.recovery != .retry:
      throw .postponed(.refused(failure.reason))
    case .failed(let failure) where failure.kind == .protocolViolation && failure.recovery != .retry:
      throw .refused(.refused(failure.reason))
    case .failed(let failure): throw .failed(failure)
    }
  }

  /// Runs `body` on the thread for files.
  func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(ReuseError<Refusal>) -> Value
  ) async throws(ReuseError<Refusal>) -> Value {
    let result = await withCheckedContinuation { continuation in
      executor.start {
        let result: Result<Value, ReuseError<Refusal>>
        do throws(ReuseError<Refusal>) { result = .success(try body()) } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  /// Removes the part file. No checkpoint may cover any of its bytes.
  func discardPart() async {
    _ = await executor.attemptRun { [plan] () throws(Failure) in try? plan.destination.discardPart(plan.partName) }
  }
}
