// The environment of this process.

import FoundationEssentials

/// The environment of this process, for use in several places.
enum ProcessVariables {
  static var all: [String: String] { ProcessInfo.processInfo.environment }
}
