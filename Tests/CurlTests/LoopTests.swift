// How the loop drives transfers: pauses, aborts, ticks, concurrency, shutdown.

import Curl
import Dispatch
import FaultServer
import Synchronization
import Testing

@Suite struct LoopTests {
  private let content = FaultServer.Version.named("v1", size: 300_000)

  private func serve(
    _ answer: FaultServer.Answer = .normal, _ body: (FaultServer, TransferLoop) async throws -> Void
  ) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    server["/file"] = .init(content, script: [answer])
    try await TransferLoop.use { try await body(server, $0) }
  }

  @Test func bytesHeldBackComeAgainWhenTheTimeHasCome() async throws {
    try await serve { server, loop in
      let start = TransferLoop.now()
      let script = Script(body: { $0 == 1 ? .pause(until: start + 0.05) : .taken })
      let (course, _) = loop.start(server.url("/file"), script)
      try #require(await course.ended())
      #expect(course.now.ends == [nil])
      #expect(course.now.body == content.content.allBytes)
      #expect(TransferLoop.now() >= start + 0.05)
    }
  }

  @Test func bytesHeldBackForeverComeAgainOnProceed() async throws {
    try await serve { server, loop in
      let flag = Flag()
      let script = Script(
        body: { _ in flag.isUp ? .taken : .pause(until: .infinity) },
        tick: { flag.isUp ? .proceed : .none })
      let (course, id) = loop.start(server.url("/file"), script)
      try #require(await eventually { course.now.offers == 1 })
      let ticks = course.now.ticks
      try #require(await eventually { course.now.ticks >= ticks + 3 })
      // The bytes were neither offered again nor taken, however often the transfer was checked.
      #expect(course.now.offers == 1)
      #expect(course.now.body.isEmpty)
      flag.raise()
      loop.signal(id)
      try #require(await course.ended())
      #expect(course.now.body == content.content.allBytes)
    }
  }

  @Test func aRequestWaitsForItsTime() async throws {
    try await serve { server, loop in
      let start = TransferLoop.now()
      // Before the time is known, the transfer asks again and again.
      let script = Script(start: { $0 < start + 0.05 ? $0 + 0.01 : start + 0.07 })
      let (course, _) = loop.start(server.url("/file"), script)
      try #require(await course.ended())
      #expect(course.now.ends == [nil] && course.now.prepared == 1)
      #expect(course.now.body == content.content.allBytes)
      #expect(TransferLoop.now() >= start + 0.07)
    }
  }

  @Test func aRequestThatWaitsCanBeEnded() async throws {
    try await serve { server, loop in
      let flag = Flag()
      let script = Script(start: { $0 + 1000 }, tick: { flag.isUp ? .abort : .none })
      let (course, id) = loop.start(server.url("/file"), script)
      try #require(await eventually { course.now.ticks >= 2 })
      #expect(course.now.prepared == 0)
      flag.raise()
      loop.signal(id)
      try #require(await course.ended())
      #expect(course.now.prepared == 0 && course.now.ends.count == 1)
    }
  }

  @Test(arguments: ["header", "body", "tick"])
  func anyCallMayEndTheTransfer(_ place: String) async throws {
    // A body that never ends, so that only the abort can end the transfer.
    let gate = FaultServer.Gate()
    try await serve(.held(by: gate, after: 1000)) { server, loop in
      var script = Script()
      switch place {
      case "header": script.header = { _ in false }
      case "body": script.body = { _ in .abort }
      default: script.tick = { .abort }
      }
      let (course, _) = loop.start(server.url("/file"), script)
      try #require(await course.ended())
      let error = try #require(course.now.ends.first ?? nil)
      #expect(error.code.category == .callback)
      if place == "tick" { #expect(error == .aborted) }
      if place == "body" { #expect(course.now.body.isEmpty) }
    }
  }

  @Test func everyTransferIsTickedWithoutASignal() async throws {
    let gate = FaultServer.Gate()
    try await serve(.held(by: gate, after: 0)) { server, loop in
      let courses = (0..<3).map { _ in loop.start(server.url("/file")).course }
      for course in courses { #expect(await eventually { course.now.ticks >= 5 }) }
      gate.open()
      for course in courses {
        try #require(await course.ended())
        #expect(course.now.ends == [nil])
      }
    }
  }

  @Test func manyTransfersRunAtOnce() async throws {
    let gate = FaultServer.Gate()
    try await serve(.held(by: gate, after: 100)) { server, loop in
      let courses = (0..<60).map { _ in loop.start(server.url("/file")).course }
      // All answers wait at the gate together.
      try #require(await gate.waitForArrivals(60, seconds: 60))
      #expect(server.connections == 60)
      gate.open()
      let expected = content.content.allBytes
      for course in courses {
        try #require(await course.ended())
        #expect(course.now.ends == [nil])
        #expect(course.now.body == expected)
      }
    }
  }

  @Test func anOrderIsTakenThatArrivesInARoundWithoutAWait() async throws {
    try await serve { server, loop in
      let url = server.url("/file")
      let late = Course()
      let failing = Script(prepare: { _, _ throws(CurlError) in
        let isOrdered = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          loop.start { ScriptedTransfer(url, Script(), late) }
          isOrdered.signal()
        }
        isOrdered.wait()
        throw .aborted
      })
      // The loop does not wait after a transfer has ended, nor after an order from its own thread.
      loop.start(
        url,
        Script(finish: { _ in
          loop.start(url, failing)
          return .done
        }))
      try #require(await late.ended())
      #expect(late.now.ends == [nil])
    }
  }

  @Test func oneAfterTheOtherShareAConnection() async throws {
    try await serve { server, loop in
      for _ in 0..<5 {
        let (course, _) = loop.start(server.url("/file"))
        try #require(await course.ended())
        #expect(course.now.ends == [nil])
      }
      #expect(Set(server.requests("/file").map(\.connection)) == [1])
    }
  }

  @Test func aCutConnectionIsNotUsedAgain() async throws {
    try await serve(.cut(after: 10)) { server, loop in
      let script = Script(finish: { $0 == 1 ? .again : .done })
      let (course, _) = loop.start(server.url("/file"), script)
      try #require(await course.ended(2))
      #expect(course.now.ends.map { $0?.code } == [.partialFile, .partialFile])
      #expect(server.requests("/file").map(\.connection) == [1, 2])
    }
  }

  @Test func stopEndsAllAndNothingStartsAfterIt() async throws {
    let gate = FaultServer.Gate()
    let server = try FaultServer()
    defer { server.stop() }
    server["/file"] = .init(content, script: [.held(by: gate, after: 0)])
    let loop = try TransferLoop()
    let courses = (0..<10).map { _ in loop.start(server.url("/file")).course }
    try #require(await gate.waitForArrivals(10, seconds: 60))
    loop.stop()
    // The thread has ended, so every end has been reported.
    for course in courses { #expect(course.now.ends == [.aborted]) }
    let (late, _) = loop.start(server.url("/file"))
    loop.stop()
    // The end is reported at once; otherwise callers would wait forever.
    #expect(late.now.prepared == 0)
    #expect(late.now.ends == [.aborted])
    #expect(server.requests("/file").count == 10)
  }
}

/// A switch that is turned on once.
final class Flag: Sendable {
  private let state = Atomic<Bool>(false)
  var isUp: Bool { state.load(ordering: .acquiring) }
  func raise() { state.store(true, ordering: .releasing) }
}
