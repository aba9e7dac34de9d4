// The service for servers, and the log of a manager.

import DrayCore
import FaultServer
import Logging
import StoreTesting
import Synchronization
import Testing

@testable import DrayKit

@Suite struct DownloadServiceTests {
  @Test func itTransfersWhatIsAddedUntilItIsCancelled() async throws {
    try await KitFixture.use { fixture in
      let service = Task { try await DownloadService(fixture.manager).run() }
      let id = try await fixture.add("/f", .sample)
      #expect(try await eventually { try await fixture.job(id).state == .complete })
      let gate = FaultServer.Gate()
      let next = try await fixture.add("/g", .sample, [.held(by: gate, after: 200_000)])
      try #require(await gate.waitForArrivals(1, seconds: 60))
      service.cancel()
      try await service.value
      #expect(try await fixture.job(next).state == .interrupted)
      // A manager can have another service afterwards.
      let again = Task { try await DownloadService(fixture.manager).run() }
      again.cancel()
      try await again.value
    }
  }

  @Test func theLogNamesJobsAndHidesSecrets() async throws {
    try await KitFixture.use { fixture in
      let lines = Lines()
      var configuration = Configuration(home: fixture.home)
      configuration.logger = Logger(label: "test") { _ in lines }
      configuration.logger?.logLevel = .debug
      let manager = try DownloadManager.openBlocking(configuration)
      fixture.server["/f"] = .init(.sample)
      fixture.server["/start"] = .init(.sample, script: [.redirect(to: "/f?token=geheim")])
      let download = try await manager.download(fixture.server.url("/start"), to: fixture.directory)
      _ = try await download.value()
      await #expect(throws: Failure.self) {
        try await manager.download(fixture.server.url("/gone"), to: fixture.directory).value()
      }
      let all = lines.all
      let messages = all.map(\.message)
      let complete = all.first { $0.message == "complete" }
      let anonymous = all.filter { $0.metadata["job"] == nil }
      let indiscreet = all.filter { "\($0)".contains("geheim") }
      #expect(messages.contains("complete") && messages.contains("failed"))
      #expect(complete?.metadata["job"] == "\(download.id)")
      #expect(anonymous.isEmpty && indiscreet.isEmpty)
    }
  }
}

/// A log in memory.
private final class Lines: LogHandler {
  struct Line {
    var message: String
    var metadata: Logger.Metadata
  }

  private let lines = Mutex<[Line]>([])
  var all: [Line] { lines.withLock { $0 } }
  var logLevel: Logger.Level {
    get { .debug }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    lines.withLock { $0.append(Line(message: "\(event.message)", metadata: event.metadata ?? [:])) }
  }
}
