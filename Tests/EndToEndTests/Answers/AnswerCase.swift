// The file for tests that fetch a small file from its start.

import FaultServer

/// A file of 200 KB.
enum AnswerCase {
  static let version = Version.named("v1", size: 200_000)
}
