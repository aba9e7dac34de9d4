// The seeds of random tests.

import Foundation

/// The seed of a random test.
public enum TestSeed {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether this is a soak (`make soak`), which searches for faults that the gate has not seen.
  public static let isSoak = environment["DRAY_SOAK"] != nil

  /// A new seed for each process.
  private static let drawn = UInt64.random(in: 0..<1_000_000)

  /// Returns the seed in `variable`, otherwise the one in `DRAY_TEST_SEED`. Without both the seed is 1 in CI, so that no commit is refused
  /// by chance, and a new one in a run by hand or a soak.
  public static func value(_ variable: String) -> UInt64 {
    for name in [variable, "DRAY_TEST_SEED"] {
      if let given = environment[name].flatMap({ UInt64($0) }) { return given }
    }
    return environment["CI"] != nil && !isSoak ? 1 : drawn
  }
}
