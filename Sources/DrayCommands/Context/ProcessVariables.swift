// The environment of this process.

internal import FoundationEssentials

enum ProcessVariables {
  static var all: [String: String] { ProcessInfo.processInfo.environment }
}
