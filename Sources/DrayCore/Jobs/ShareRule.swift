// Decides whether a machine uses a directory that the machines of a queue share: by a mark in the directory, whose text
// the job store knows, and by the state of the file system. If a share does not work, that is the fault of the machine,
// not of a job.

/// The state of the file system of a share that was found.
public enum ShareCondition: Sendable, Equatable {
  case usable, readOnly
  /// No space is left.
  case full
}

/// The findings of a machine that looked at a share.
public enum ShareSight: Sendable, Equatable {
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

/// Why a machine does not use a share.
public enum ShareFault: Sendable, Equatable {
  case missing
  /// The directory lacks the mark that the store knows.
  case unmarked(wanted: String)
  /// The directory has another mark than the store knows.
  case other(wanted: String)
  case readOnly, full
  case broken(String)
  case silent

  /// The failure to show for a share.
  public func failure(_ root: String) -> Failure {
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

/// The use that a machine makes of a share.
public enum ShareVerdict: Sendable, Equatable {
  case use
  /// Use the share, once the store knows its mark.
  case adopt(String)
  /// Use the share, once it has a mark that the store knows.
  case mark
  /// Leave the share, and its jobs, to other machines.
  case refuse(ShareFault)
}

/// The rules for shares.
public enum ShareRule {
  /// The name of the mark, a file with one line, in the uppermost directory of a share. The mark identifies the share,
  /// not the store, because several queues may use one share.
  public static let markName = ".dray-share"

  /// Decides whether a share may be used.
  ///
  /// The machine that adds jobs creates the mark, because its user has chosen the directory. A runner creates no mark,
  /// because it cannot tell the share from the empty directory at which it is not mounted. Shares of jobs from older
  /// versions have no mark, and are used without one.
  /// - Parameters:
  ///   - known: The mark that the store knows for this path.
  ///   - isChosen: Whether jobs are being added, so that the directory may get a mark. At that time no bytes have been
  ///     written.
  public static func decide(_ sight: ShareSight, known: String?, isChosen: Bool) -> ShareVerdict {
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

  /// Whether a share is full. A share that has failed for lack of space must now have clearly more space.
  /// - Parameters:
  ///   - free: The free bytes; `nil` if unknown.
  ///   - then: The free bytes when the share failed; `nil` if it has not.
  public static func isFull(free: Int64?, then: Int64?) -> Bool {
    guard let free else { return false }
    guard let then else { return free == 0 }
    return free < min(scarce, max(then.saturatingSum(then), then.saturatingSum(1 << 20)))
  }

  /// The free space below which a file that does not fit shows that the share is full. Above it, the file is too large.
  public static let scarce: Int64 = 64 << 20

  /// The seconds until a machine looks again at a share that it does not use.
  /// - Parameter looks: The number of looks since the share last worked for a while.
  public static func interval(looks: Int) -> Double { looks < 6 ? Double(1 << max(0, looks)) : 60 }

  /// The seconds for which a share must work for the next fault to count as the first.
  public static let recovery = 300.0

  /// The seconds after which a look without an answer counts as ``ShareSight/silent``.
  public static let patience = 5.0

  /// The seconds for which a machine waits for a new mark to be on the disk, which may be busy.
  public static let markPatience = 60.0

  /// How often a machine hands back one job because of a failed write, although a look finds the share good. After
  /// that, the failure is the job's.
  public static let benefits = 3
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
