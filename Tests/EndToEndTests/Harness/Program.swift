// The path of the built program, and the short names for tests of this target.

import FaultServer
import Foundation

typealias Answer = FaultServer.Answer
typealias Content = FaultServer.Content
typealias Gate = FaultServer.Gate
typealias Resource = FaultServer.Resource
typealias SeenRequest = FaultServer.SeenRequest
typealias Version = FaultServer.Version

/// An error in the harness itself, or a wait that timed out.
struct HarnessError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The path of the program under test: `DRAY_PROGRAM`, else `dray` beside the running test program.
func programPath() throws -> String {
  let testProgram = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let beside = (testProgram as NSString).deletingLastPathComponent + "/dray"
  let path = ProcessInfo.processInfo.environment["DRAY_PROGRAM"] ?? beside
  guard FileManager.default.isExecutableFile(atPath: path) else {
    throw HarnessError("no program at \(path): build dray, or set DRAY_PROGRAM")
  }
  return path
}

/// The path of a tool of the system that the tests need.
func toolPath(_ name: String) throws -> String {
  let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  for place in places + ["/usr/sbin", "/usr/bin", "/sbin", "/bin"] {
    let path = "\(place)/\(name)"
    if FileManager.default.isExecutableFile(atPath: path) { return path }
  }
  throw HarnessError("\(name) is not installed, and this test needs it")
}

/// Seconds after which a program counts as hung: far more than any normal run, even on a busy machine.
let patience = 180.0

/// Checks `condition` every `interval` seconds, for at most `seconds`.
///
/// - Throws: `HarnessError` with `what` after a timeout.
func waitUntil(
  _ what: String, seconds: Double = patience, every interval: Double = 0.01,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
  while true {
    // Read before the condition: after a sleep past the end the condition is checked once more.
    let isLast = ContinuousClock.now >= deadline
    if try await condition() { return }
    guard !isLast else { throw HarnessError("waited \(seconds) s for \(what)") }
    try await Task.sleep(for: .seconds(interval))
  }
}
