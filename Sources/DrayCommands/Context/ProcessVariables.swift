// The environment of this process.

import FoundationEssentials

/// Variables of the process that are asked for in more than one place.
enum ProcessVariables {
  static var all: [String: String] { ProcessInfo.processInfo.environment }
}
