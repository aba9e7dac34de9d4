// The file of the tests that fetch something small from its start.

import FaultServer

/// A file of 200 KB.
enum AnswerCase {
  static let version = Version.named("v1", size: 200_000)
}
