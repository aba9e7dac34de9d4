// A run whose scope grows during the run.

import DrayCore
import FaultServer
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct ScopeTests {
  @Test("a growing scope takes jobs during the run, and the run does not end before the last has arrived")
  func growing() async throws {
    try await KitFixture.use { fixture in
      let first = try await fixture.add("/first", .sample)
      let run = try await Run(fixture.manager, .growing([first]))
      try #require(await eventually { run.story(first).contains("complete") })
      let later = try await (0..<300).asyncMap { try await fixture.add("/f\($0)", .sample) }
      let other = try await fixture.add("/other", .sample)
      try await run.runner.add(Array(later.prefix(299)), isLast: false)
      try #require(await eventually { run.story(later[298]).contains("complete") })
      try await run.runner.add([later[299]], isLast: true)
      let summary = try await run.summary()
      #expect(summary.complete == 301)
      #expect(summary.exitStatus == .success)
      #expect(try await fixture.job(other).state == .queued)
    }
  }

  @Test("a growing scope without jobs ends")
  func empty() async throws {
    try await KitFixture.use { fixture in
      let run = try await Run(fixture.manager, .growing([]))
      try await run.runner.add([], isLast: true)
      #expect(try await run.summary().complete == 0)
    }
  }
}
