// Translates SQLite's errors for people. No other file knows SQLite's result codes.

internal import DrayCore
internal import Posix
internal import SQLite

enum StoreFailure {
  static func make(_ error: any Error, path: String) -> Failure {
    switch error {
    case let failure as Failure:
      return failure
    case let error as DatabaseError:
      let (reason, advice, passes) = words(error, path: path)
      return Failure(.store, path, reason, advice: advice, recovery: passes ? .wait : .keep)
    default:
      return corrupt(path, "a row cannot be read: \(error)")
    }
  }

  static func corrupt(_ path: String, _ detail: String) -> Failure {
    Failure(
      .store, path, "the job store is damaged (\(detail)); it was left as it is", advice: moveAway,
      recovery: .keep)
  }

  static func foreign(_ path: String, _ detail: String) -> Failure {
    Failure(
      .store, path, "this is not a job store of dray (\(detail)); it was left as it is", advice: moveAway,
      recovery: .keep)
  }

  /// The failure for a store that an older or a newer dray wrote.
  static func other(_ path: String, version: Int) -> Failure {
    let (age, advice): (String, Advice) =
      version < Schema.version
      ? ("an older", "finish its jobs with that dray, or move it away to start with an empty one")
      : ("a newer", "use that dray, or set \(.stateDirectory) to another directory")
    return Failure(
      .store, path,
      "the job store is of \(age) dray (version \(version), this one uses \(Schema.version)); it was left as it is",
      advice: advice, recovery: .keep)
  }

  private static let moveAway: Advice =
    "move it away to start with an empty one, then \(.clean) finds the part files in a directory"

  /// Describes an error, and says whether it may pass without a change to the store.
  private static func words(_ error: DatabaseError, path: String) -> (reason: String, advice: Advice?, passes: Bool) {
    let said = error.message
    switch error.resultCode {
    case .busy, .locked, .protocol:
      return ("another program holds the job store", "try again when it has ended", true)
    case .full:
      return ("the disk of the job store is full", "make room, then try again", true)
    case .ioError:
      // SQLite also reports this error if the disk is too full for the index of its log.
      if let free = System.freeSpace(path), free < 1 << 20 {
        return ("the disk of the job store is full (\(said))", "make room, then try again", true)
      }
      return ("the job store cannot be read or written: \(said)", "see whether the disk is sound", false)
    case .notADatabase:
      let failure = foreign(path, "not an SQLite database")
      return (failure.reason, failure.advice, false)
    case .corrupt, .mismatch:
      let failure = corrupt(path, said)
      return (failure.reason, failure.advice, false)
    case .readOnly, .permission, .cannotOpen, .authorization:
      return ("the job store cannot be opened for writing: \(said)", "see who owns it and its directory", false)
    default:
      return ("the job store failed: \(said)", nil, false)
    }
  }
}
