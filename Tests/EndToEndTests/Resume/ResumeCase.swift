// The file for tests that stop a transfer half-way.

import FaultServer

/// A file of 1 MiB, in two versions.
enum ResumeCase {
  static let size: Int64 = 1 << 20
  static let half: Int64 = 1 << 19

  static let v1 = Version.named("v1", size: size)
  static let v2 = Version.named("v2", size: size)
}
