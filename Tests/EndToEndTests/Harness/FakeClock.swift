// A wall clock for one program.

import FaultServer
import Foundation

/// The wall clock of one program, set by a preloaded library (Tests/CrashShim/ClockShim.c).
struct FakeClock {
  private let file: String

  init(in sandbox: Sandbox) throws {
    file = sandbox.root + "/streams/clock"
    try Data(count: 8).write(to: URL(fileURLWithPath: file))
  }

  var environment: [String: String] {
    get throws { ["LD_PRELOAD": try Crash.library(), "DRAY_CLOCK": file, "TZ": "UTC"] }
  }

  /// Sets the clock this many seconds ahead of the true time; negative values set it behind.
  func set(_ seconds: Int64) throws {
    // In place, because the program has mapped the file.
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
    try handle.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
    try handle.close()
  }
}
