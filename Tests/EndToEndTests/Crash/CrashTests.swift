// The crash sweep: after a crash at any instruction P1 to P6 hold, and the next run gives the exact file.

import Testing

@Suite("Crash sweep")
struct CrashTests {
  @Test(
    "after a crash at any call that changes a file, nothing is wrong, and the next run completes it",
    arguments: CrashScenario.quick + CrashScenario.commands)
  func everyCall(_ scenario: CrashScenario) async throws {
    try await CrashSweep(scenario).run()
  }

  @Test(
    "after a crash in the middle of a large file, checkpointed bytes are kept, and no versions are mixed",
    arguments: CrashScenario.large)
  func largeFiles(_ scenario: CrashScenario) async throws {
    try await CrashSweep(scenario).run()
  }

  @Test(
    "after a crash on the way into a bucket, the object is whole or absent, and no upload is left",
    arguments: CrashScenario.objects)
  func objects(_ scenario: CrashScenario) async throws {
    try await CrashSweep(scenario).run()
  }
}
