// A scenario of the crash sweep: the initial state, the command that is killed, and the expected state after the next
// run.

import FaultServer
import Foundation

/// A command that is killed at each of its calls in turn, and the expectations for it.
struct CrashScenario: Sendable, CustomStringConvertible {
  /// Its short name, for `DRAY_CRASH_CASE`.
  var name: String
  /// The number of calls that the gate tries, spread over all. A soak tries more of them, or every one.
  var sample = 8
  /// Crashes that are always tried, in addition to the drawn ones.
  var named: [Crash] = []
  /// Prepares the store, the files and the server's resources.
  var prepare: @Sendable (Sandbox, inout Dice) async throws -> Void
  /// The command that is killed.
  var command: @Sendable (Sandbox) -> [String]
  /// Changes the server between the crash and the commands after it.
  var between: @Sendable (Sandbox, inout Dice) -> Void = { _, _ in }
  /// The commands after the crash; each must exit with 0.
  var again: @Sendable (Sandbox) -> [[String]]
  /// Files of the download directory that are not the program's, or not yet.
  var present: [String: Content] = [:]
  /// Whether these files are damaged targets of complete jobs.
  var areDamaged = false
  /// Targets, and the allowed versions of each.
  var wanted: [String: [Version]]
  /// Keys of the sandbox's bucket that are targets, and the allowed versions of each.
  var objects: [String: [Version]] = [:]
  /// Whether checkpointed bytes must not be requested again.
  var resumes = false
  /// Whether to expect the jobs of the undisturbed run, instead of one complete job per target.
  var keepsJobs = false
  /// The allowed end, if it is not a complete job for each target.
  var end = CrashEnd()
  /// The time limit of the killed command, in seconds.
  var seconds = 60.0

  var description: String { name }

  /// The number of targets, so of jobs.
  var count: Int { wanted.count + objects.count }
}

/// The allowed ends of a scenario, and the leftovers allowed before.
struct CrashEnd: Sendable {
  /// Exit statuses of the command, and of those after it.
  var exits: Set<Int32> = [0]
  /// States of the jobs.
  var states: Set<String> = ["complete"]
  /// The number of jobs; nil for one per target.
  var jobs: ClosedRange<Int>?
  /// Whether targets may be missing because they must not be fetched again.
  var mayLackTargets = false
  /// Additional names in the state directory.
  var state: Set<String> = []
  /// Names in the download directory that may exist after the crash, but not at the end.
  var strays: Set<String> = []
  /// Names in the download directory that may exist after the crash and at the end.
  var files: Set<String> = []
  /// Other findings at the end.
  var problems: @Sendable (Sandbox) async throws -> [String] = { _ in [] }
}

// MARK: Shared parts

extension CrashScenario {
  /// A job store without jobs, from a program that ended normally.
  static let emptyStore = Task {
    var bytes = Data()
    try await Sandbox.use { sandbox in
      let made = try await sandbox.dray("limit", "off")
      guard made.status == 0 else { throw HarnessError("\(made)") }
      bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.home + "/dray.sqlite"))
    }
    return bytes
  }

  /// Puts a store without jobs in place, so that the calls that create a store are not tried again in every scenario.
  static func plantStore(_ sandbox: Sandbox) async throws {
    let bytes = try await emptyStore.value
    for directory in [sandbox.home, sandbox.home + "/runners"] {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let path = sandbox.home + "/dray.sqlite"
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  /// `count` small versions with different names.
  static func small(_ count: Int = 1) -> [String: [Version]] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("f\($0)", [.named("small \($0)", size: 5000 + Int64($0))]) })
  }

  /// Serves the first version of each target under its name.
  static func serve(_ wanted: [String: [Version]], _ sandbox: Sandbox) {
    for (name, versions) in wanted { sandbox.server["/" + name] = Resource(versions[0]) }
  }
}
