// Power cuts: scenarios of the crash sweep, around the calls that order writes to the disk.

import FaultServer
import Foundation

extension CrashScenario {
  /// All scenarios that are tried with a power cut.
  static let power: [CrashScenario] = [
    add("power-add", count: 1).cut(sample: 4, at: []),
    get("power-small").cut(sample: 3, at: ["pwrite:.part+", "fdatasync:.part", "fdatasync:.part+"] + publishing),
    get("power-overwrite", ["--on-conflict", "overwrite"], target: "f0", present: ["f0": old])
      .cut(sample: 2, at: ["renameat", "renameat+"]),
    group.called("power-group").cut(sample: 4, at: ["renameat2", "renameat2+"]),
    recovery("power-recovery", isAfter: true).cut(sample: 3, at: []),
    whole("power-large-x1", connections: 1, rate: 3 << 20, version: middle)
      .cut(sample: 3, at: ["fdatasync:.part", "fdatasync:.part+"]),
    whole("power-large-x8", connections: 8, rate: 400 << 10, version: middle).cut(sample: 3, at: ["fdatasync:.part+"]),
    kept("power-remove", ["remove", "--all"], again: [["remove", "--all"]], wanted: [:])
      .cut(sample: 2, at: ["unlinkat:.part", "unlinkat:.part+"]),
  ]

  /// The calls of one file's publish.
  static let publishing = ["renameat2", "renameat2+", "fsync:/downloads", "fsync:/downloads+"]
  /// Takes long enough for a checkpoint or two.
  static let middle = Version.named("v1", size: 6 << 20)

  func called(_ name: String) -> CrashScenario {
    var other = self
    other.name = name
    return other
  }

  /// The same scenario, cut at `sample` calls, at calls of these names, and after success.
  private func cut(sample: Int, at calls: [String]) -> CrashScenario {
    var other = self
    other.sample = sample
    other.named = calls.map { Crash($0) } + [Crash()]
    return other
  }
}
