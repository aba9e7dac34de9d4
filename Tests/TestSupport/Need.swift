// The needs of tests: root, loop devices, a program from PyPI. A test without its need is skipped, and the reason of the skip
// begins with the need's name. scripts/gate-report.py reads that from the event stream: it prints the skip, and in CI the name must
// be listed in scripts/may-skip.txt.

import Foundation
public import Testing

/// Something that a test needs and some machines lack.
public struct Need: Sendable {
  /// The name in scripts/may-skip.txt, in one word.
  public let name: String
  /// The things that must be there, for the reader of a skip.
  public let explanation: String
  private let check: @Sendable () async -> Bool

  /// Creates a need; `check` returns whether this machine meets it.
  public init(_ name: String, _ explanation: String, _ check: @escaping @Sendable () async -> Bool) {
    self.name = name
    self.explanation = explanation
    self.check = check
  }

  /// Returns whether this machine meets the need.
  public func isMet() async -> Bool { await check() }

  /// The rights of root.
  public static let root = Need("root", "only root may do this") { geteuid() == 0 }

  /// Programs that `scripts/setup.sh test` installs.
  public static func programs(_ names: String...) -> Need { programs(names) }

  /// Programs that `scripts/setup.sh test` installs.
  public static func programs(_ names: [String]) -> Need {
    let missing = names.filter { !isInstalled($0) }
    return Need("programs", "not installed: \(missing.joined(separator: ", "))") { missing.isEmpty }
  }

  /// Returns whether a program is installed.
  private static func isInstalled(_ name: String) -> Bool {
    let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (places + ["/usr/sbin", "/usr/bin", "/sbin", "/bin"])
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, or all tests of the suite, where the machine lacks `need`.
  public static func needs(_ need: Need, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    let reason = Comment(rawValue: "needs \(need.name): \(need.explanation)")
    return .enabled(reason, sourceLocation: sourceLocation) { await need.isMet() }
  }

  /// Skips the test if an environment variable selects other tests.
  public static func unlessChosen(by variable: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    .enabled(
      if: ProcessInfo.processInfo.environment[variable] == nil,
      "needs choice: \(variable) chooses other tests", sourceLocation: sourceLocation)
  }
}
