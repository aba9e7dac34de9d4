// The crash sweep: whatever instruction a crash comes at, P1 to P6 hold, and running again gives the exact file.

import Testing

@Suite("Crash sweep")
struct CrashTests {
  @Test(
    "after a crash at any call that changes a file, nothing is wrong, and running again ends it",
    arguments: CrashScenario.quick + CrashScenario.commands)
  func everyCall(_ scenario: CrashScenario) async throws {
    try await CrashSweep(scenario).run()
  }

  @Test(
    "after a crash in the middle of a large file, what was checkpointed is kept, and no versions are mixed",
    arguments: CrashScenario.large)
  func largeFiles(_ scenario: CrashScenario) async throws {
    try await CrashSweep(scenario).run()
  }
}
