// What the disk has to say before an attempt, and after it.

internal import DrayEngine
internal import Foundation

/// What an attempt is to do, from a look at the disk. Blocks.
enum AttemptPlan: Sendable {
  case transfer(TransferPlan)
  /// The target is there, and the user wants it to stay.
  case skip(path: String)

  static func make(_ job: Job) throws(Failure) -> AttemptPlan {
    let path = job.specification.directory
    let options = job.specification.options
    let directory: TargetDirectory
    do throws(SystemError) { directory = try TargetDirectory(path: path, create: true) } catch {
      throw error.failure(path)
    }
    if let name = job.fileName {
      switch Conflict.look(options.onConflict, at: name, in: directory) {
      case .none: break
      case .skip: return .skip(path: Job.join(path, name))
      case .refuse(let failure): throw failure
      }
    }
    let request = try S3Access.credentialed(job.specification.request)
    do throws(SystemError) {
      var plan = try TransferPlan(
        request: request, directory: directory, partName: job.partFileName,
        recorded: job.checkpoint, resume: options.resume, digestIsKnown: options.digest != nil)
      plan.expectedSize = options.expectedSize
      return .transfer(plan)
    } catch {
      throw error.failure(job.partFile)
    }
  }

  /// The digest of a file; `nil` if it was given up before its end.
  static func digest(
    _ algorithm: DigestAlgorithm, _ part: PartFile, _ size: Int64, isCancelled: () -> Bool
  ) throws(Failure) -> DigestValue? {
    do {
      return try FileDigest.compute(algorithm, of: part, size: size, isCancelled: isCancelled)
    } catch is CancellationError {
      return nil
    } catch {
      let path = Job.join(part.directory.path, part.name)
      throw (error as? SystemError)?.failure(path) ?? Failure(.other, path, "\(error)")
    }
  }
}

/// Fixes the name of a target from the answer.
enum TargetFixing {
  /// The name, now fixed, and what is in its way. Blocks.
  static func fix(
    _ job: Job, _ response: ResponseRecord, store: JobStore, runner: UUID
  ) throws(Failure) -> (String, Conflict) {
    let path = job.specification.directory
    let directory: TargetDirectory
    do throws(SystemError) { directory = try TargetDirectory(path: path) } catch { throw error.failure(path) }
    let policy = job.specification.options.onConflict
    let name = try store.fixName(
      job.id, runner: runner, directory: path, name: TargetName.choose(response, ownName: job.ownName), policy: policy,
      exists: { directory.exists($0) })
    guard let name else { throw Failure.leaseLost(job.id) }
    return (name, Conflict.look(policy, at: name, in: directory))
  }
}
