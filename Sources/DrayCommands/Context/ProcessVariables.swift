// The environment of this process.

import FoundationEssentials

enum ProcessVariables {
  static var all: [String: String] { ProcessInfo.processInfo.environment }
}
