// A clock that is set while the service runs, by hand or by NTP. Delays must not depend on it; timetables do, but must
// not hang. Monotonic clocks are not changed.

import FaultServer
import Foundation
import Testing

@Suite("Service: a clock that jumps")
struct ServeClockTests {
  private static let secret = "correct-horse-battery-staple"

  private func start(_ sandbox: Sandbox, _ clock: FakeClock) async throws -> Service {
    let environment = try clock.environment
    return try await Service.start(in: sandbox, secret: Self.secret) { $0.environment.merge(environment) { $1 } }
  }

  private func wait(_ service: Service, _ gid: String, _ state: String) async throws {
    try await service.program.wait(for: "\(gid) to be \(state)") { try await service.status(of: gid) == state }
  }

  @Test("a day ahead, an hour back: transfers, waits for a retry and sessions continue")
  func jumps() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let (gate, clock) = (Gate(), try FakeClock(in: sandbox))
      // A separate server, because a server that was busy gets few jobs at once.
      let other = try FaultServer()
      defer { other.stop() }
      let version = Version.named("v1", size: 300_000)
      let busy = { (seconds: Int) in Answer.status(503, headers: ["Retry-After: \(seconds)"]) }
      other["/held"] = .init(version, script: [.held(by: gate, after: 200_000)])
      sandbox.server["/tomorrow"] = .init(version, script: [busy(300), .normal])
      sandbox.server["/yesterday"] = .init(version, script: [busy(300), .normal])
      let service = try await start(sandbox, clock)
      let session = try await service.logIn(Self.secret)
      let held = try await service.add(other.url("/held"))
      #expect(await gate.waitForArrivals())
      let tomorrow = try await service.add(sandbox.server.url("/tomorrow"))
      #expect(await sandbox.server.waitForRequests("/tomorrow", count: 1))
      try await wait(service, tomorrow, "waiting")
      // The new clock says that its five minutes are over.
      try clock.set(86_400)
      try await wait(service, tomorrow, "complete")
      #expect(try await service.status("/api/v1/jobs", session) == "200")
      let yesterday = try await service.add(sandbox.server.url("/yesterday"))
      #expect(await sandbox.server.waitForRequests("/yesterday", count: 1))
      try await wait(service, yesterday, "waiting")
      // By the new clock the wait ends in a day, and its start is in the future.
      try clock.set(-3600)
      try await wait(service, yesterday, "complete")
      #expect(try await service.status("/api/v1/jobs", session) == "200")
      gate.open()
      try await wait(service, held, "complete")
      try await service.stop()
      sandbox.expectFiles(["held": version.content, "tomorrow": version.content, "yesterday": version.content])
    }
  }

  @Test("a timetable of rates follows the new clock")
  func timetable() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let clock = try FakeClock(in: sandbox)
      let version = Version.named("v1", size: 20 << 20)
      sandbox.server["/f"] = .init(version)
      let service = try await start(sandbox, clock)
      // Slow from an hour ago until two hours from now, each day.
      let hour = { (ahead: Int) -> String in
        let number = (Calendar.utc.component(.hour, from: Date()) + 24 + ahead) % 24
        return "\(number < 10 ? "0" : "")\(number):00"
      }
      let bearer = ["Authorization: Bearer \(Self.secret)"]
      let slow = #"{"from":"\#(hour(-1))","to":"\#(hour(2))","days":"mon-sun","rate":"64k"}"#
      let limits = #"{"overallRate":null,"timetable":[\#(slow)],"jobs":"auto"}"#
      let answer = try await service.api("PUT", "/limits", limits, bearer)
      #expect(answer.status == "200", "\(answer)")
      let gid = try await service.add(sandbox.server.url("/f"))
      try await service.program.wait(for: "some bytes") {
        Int(try await service.status(of: gid, "completedLength") ?? "") ?? 0 > 100_000
      }
      #expect(try await service.status(of: gid) == "active")
      try clock.set(43_200)
      // The rest would take five minutes at that rate.
      try await wait(service, gid, "complete")
      try await service.stop()
      sandbox.expectFiles(["f": version.content])
    }
  }
}

extension Calendar {
  fileprivate static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
