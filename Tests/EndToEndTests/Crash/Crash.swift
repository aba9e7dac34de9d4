// Runs the program with the preloaded crash shim (Tests/CrashShim), which kills it at one of the calls that change
// files.

import FaultServer
import Foundation

/// The point at which the program is killed.
struct Crash: Sendable, CustomStringConvertible {
  /// The number of the call, from 1; 0 only counts.
  var at: UInt64 = 0
  /// The name of a call, instead of a number: its first occurrence. After a colon, the end of the path.
  var call: String?
  /// Whether the call is executed before the kill.
  var isAfter = false
  /// Whether a writing call writes only half of its bytes.
  var isTorn = false

  /// The first sync of this name reports lost bytes; after a colon, the end of the path.
  var loses: String?
  /// The files whose syncs do nothing, as fnmatch patterns separated by colons.
  var unsynced: String?

  /// The call that gives a file the name `name`, unless it has to replace another one. In a build with POSIX calls only,
  /// the file then still has the name of its part file, too.
  static func naming(_ name: String) -> String {
    #if DRAY_PORTABLE
    "linkat:\(name)"
    #else
    "renameat2:\(name)"
    #endif
  }

  /// The form in `DRAY_CRASH_CASE`, after the scenario's name.
  var description: String { (call ?? "\(at)") + (isAfter ? "+" : "") + (isTorn ? ":torn" : "") }

  /// A crash at the call with that number.
  init(at: UInt64 = 0, call: String? = nil, isAfter: Bool = false, isTorn: Bool = false) {
    (self.at, self.call, self.isAfter, self.isTorn) = (at, call, isAfter, isTorn)
  }

  /// Parses the form of ``description``.
  init(_ text: String) {
    var rest = text[...]
    if rest.hasSuffix(":torn") { (isTorn, rest) = (true, rest.dropLast(5)) }
    if rest.hasSuffix("+") { (isAfter, rest) = (true, rest.dropLast()) }
    if let number = UInt64(rest) { at = number } else { call = String(rest) }
  }

  /// The shim, which the build puts next to the running test program.
  static func library() throws -> String {
    let testProgram = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = (testProgram as NSString).deletingLastPathComponent + "/libCrashShim.so"
    guard FileManager.default.fileExists(atPath: path) else {
      throw HarnessError("no crash shim at \(path): build with --build-tests")
    }
    return path
  }

  /// The shim's input, and its log.
  func environment(log: String) throws -> [String: String] {
    var all = ["LD_PRELOAD": try Crash.library(), "DRAY_CRASH_LOG": log, "DRAY_CRASH_AT": "\(at)"]
    if let call { all["DRAY_CRASH_CALL"] = call }
    if isAfter { all["DRAY_CRASH_AFTER"] = "1" }
    if isTorn { all["DRAY_CRASH_TEAR"] = "1" }
    if let loses { all["DRAY_CRASH_LOSES"] = loses }
    if let unsynced { all["DRAY_CRASH_UNSYNCED"] = unsynced }
    return all
  }
}

/// The shim's report: `struct crash_record`.
struct CrashRecord: Sendable {
  /// The number of counted calls.
  var count: UInt64 = 0
  /// The call at which the program died, and its file; empty if it did not die.
  var call = ""
  var path = ""

  init(contentsOfFile path: String) throws {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    guard data.count >= 1024 else { throw HarnessError("the crash shim was not loaded: no log at \(path)") }
    count = data.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    call = String(decoding: data[8..<64].prefix { $0 != 0 }, as: UTF8.self)
    self.path = String(decoding: data[64..<1024].prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension Sandbox {
  /// Runs `dray` until `crash`, or to its end if the crash never comes.
  func dray(_ arguments: [String], until crash: Crash, seconds: Double = patience) async throws -> (
    Finished, CrashRecord
  ) {
    let log = "\(root)/streams/crash-\(UUID().uuidString)"
    let added = try crash.environment(log: log)
    let program = try start(arguments) { launch in launch.environment.merge(added) { $1 } }
    let finished = try await program.finish(seconds: seconds)
    return (finished, try CrashRecord(contentsOfFile: log))
  }
}

/// Random numbers that the same seed repeats (SplitMix64).
struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
