// Decides whether a machine may use a directory that the machines of a fleet share. It depends on a mark in the
// directory, whose text the job store knows, and on the state of the file system. A share that does not work is a fault
// of the machine, not of a job.

/// The state of a share's file system.
package enum ShareCondition: Sendable, Equatable {
  case usable, readOnly
  /// No space is left.
  case full
}

/// What a machine found when it examined a share.
package enum ShareSight: Sendable, Equatable {
  /// The share has a mark with this text.
  case marked(String, ShareCondition)
  /// The directory has no mark.
  case unmarked(ShareCondition)
  /// There is no such directory.
  case missing
  /// The file system fails with this error.
  case broken(String)
  /// The file system did not answer in time.
  case silent
}

/// The reason why a machine does not use a share.
package enum ShareFault: Sendable, Equatable {
  case missing
  /// The directory does not have the mark that the store knows.
  case unmarked(wanted: String)
  /// The mark in the directory differs from the one that the store knows.
  case other(wanted: String)
  case readOnly, full
  case broken(String)
  case silent

  /// The failure that is shown for a share.
  package func failure(_ root: String) -> Failure {
    let (reason, advice): (String, Advice) =
      switch self {
      case .missing: ("the shared directory is missing here", "mount it, then try again")
      case .unmarked(let mark):
        (
          "the share of this queue is not mounted here (no \(ShareRule.markName))",
          "mount it; if its mark was deleted: `echo \(mark) > \(PathText.join(root, ShareRule.markName))`"
        )
      case .other(let mark):
        (
          "another share is mounted here (\(ShareRule.markName) differs)",
          "mount that of this queue; if it was replaced: `echo \(mark) > \(PathText.join(root, ShareRule.markName))`"
        )
      case .readOnly: ("the share is read-only here", "mount it writable")
      case .full: ("the share is full", "make room")
      case .broken(let text): ("the share does not work here: \(text)", "mount it again")
      case .silent: ("the share does not answer", "check its server and the mount")
      }
    return Failure(.file, root, reason, advice: advice, recovery: .wait)
  }
}

/// The verdict on a share on this machine.
package enum ShareVerdict: Sendable, Equatable {
  case use
  /// Use the share, after recording its mark in the store.
  case adopt(String)
  /// Use the share, after creating a mark and recording it in the store.
  case mark
  /// Leave the share and the jobs on it to other machines.
  case refuse(ShareFault)
}

/// The rules for shares.
package enum ShareRule {
  /// The name of the mark, a file with one line, in the top directory of a share. The mark identifies the share and not
  /// the store, because several stores may use one share.
  package static let markName = ".dray-share"

  /// Decides whether a share may be used.
  ///
  /// The machine that adds jobs creates the mark, because its user has chosen the directory. A runner creates no mark:
  /// if the share is not mounted, the runner would mark the empty directory at its place. The shares of jobs from older
  /// versions have no mark, and are used without one.
  /// - Parameters:
  ///   - known: The mark that the store knows for this path.
  ///   - isChosen: Whether jobs are being added, so that the directory may get a mark. No bytes were written before
  ///     this point.
  package static func decide(_ sight: ShareSight, known: String?, isChosen: Bool) -> ShareVerdict {
    switch (sight, known) {
    case (.missing, _): .refuse(.missing)
    case (.broken(let text), _): .refuse(.broken(text))
    case (.silent, _): .refuse(.silent)
    case (.marked(let mark, _), let known?) where mark != known: .refuse(.other(wanted: known))
    case (.unmarked, let known?): .refuse(.unmarked(wanted: known))
    case (.unmarked(.usable), nil) where isChosen: .mark
    case (.marked(let mark, let condition), nil): condition.verdict(isChosen, .adopt(mark))
    case (.marked(_, let condition), _), (.unmarked(let condition), _): condition.verdict(isChosen, .use)
    }
  }

  /// Whether a share is full. If the share failed because it was full, it counts as full until it has clearly more
  /// space than at that time.
  /// - Parameters:
  ///   - free: The free bytes; `nil` if unknown.
  ///   - then: The free bytes when the share failed; `nil` if it has not.
  package static func isFull(free: Int64?, then: Int64?) -> Bool {
    guard let free else { return false }
    guard let then else { return free == 0 }
    return free < min(scarce, max(then.saturatingSum(then), then.saturatingSum(1 << 20)))
  }

  /// If a write fails and the free space is below this number, the share is full. If there is more free space, the
  /// reason is that the file is too large.
  package static let scarce: Int64 = 64 << 20

  /// Returns after how many seconds a machine examines a share again that it does not use.
  /// - Parameter looks: How often the share was examined since it last worked for a while.
  package static func interval(looks: Int) -> Double { looks < 6 ? Double(1 << max(0, looks)) : 60 }

  /// If a share has worked for this many seconds, the next fault counts as the first again.
  package static let recovery = 300.0

  /// After this many seconds without an answer, an examination ends as ``ShareSight/silent``.
  package static let patience = 5.0

  /// The seconds for which a machine waits until a new mark is on the disk, which may be busy.
  package static let markPatience = 60.0

  /// How often a machine hands back a job whose write failed although the share was found to be working. After that,
  /// the failure counts as the job's own.
  package static let benefits = 3
}

extension ShareCondition {
  fileprivate func verdict(_ isChosen: Bool, _ good: ShareVerdict) -> ShareVerdict {
    switch self {
    case .usable: good
    case _ where isChosen: good
    case .readOnly: .refuse(.readOnly)
    case .full: .refuse(.full)
    }
  }
}
