// Which jobs a run is about.

public import DrayCore

/// Which jobs a run is about.
public enum RunScope: Sendable {
  /// The whole queue.
  case all
  /// These jobs.
  case jobs([JobID])
}
