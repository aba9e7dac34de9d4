// Shared by the tests of Curl: a transfer that follows a script and keeps a record.

import Curl
import Glibc
import Synchronization

/// The outcome of a transfer.
final class Course: Sendable {
  struct Record {
    var prepared = 0
    var headers: [String] = []
    var body: [UInt8] = []
    /// Offers of body bytes, taken or not.
    var offers = 0
    var ticks = 0
    var ends: [CurlError?] = []
    var infos: [TransferInfo] = []
  }

  private let record = Mutex(Record())

  func note<Value: Sendable>(_ change: (inout sending Record) -> sending Value) -> Value {
    record.withLock { change(&$0) }
  }

  var now: Record { record.withLock { $0 } }

  /// Whether the transfer is over, after `count` requests.
  func ended(_ count: Int = 1) async -> Bool { await eventually { self.now.ends.count >= count } }
}

/// A transfer's reaction to each call; the default is a plain GET that accepts everything.
struct Script: Sendable {
  var start: @Sendable (_ now: Double) -> Double = { _ in 0 }
  var prepare: @Sendable (EasyHandle, _ request: Int) throws(CurlError) -> Void = { _, _ throws(CurlError) in }
  var willSend: @Sendable () -> Void = {}
  var header: @Sendable (String) -> Bool = { _ in true }
  var body: @Sendable (_ offer: Int) -> BodyVerdict = { _ in .taken }
  var tick: @Sendable () -> TickVerdict = { .none }
  var finish: @Sendable (_ request: Int) -> NextStep = { _ in .done }
}

/// Follows a script on the loop's thread.
final class ScriptedTransfer: LoopTransfer {
  private let url: String
  private let script: Script
  private let course: Course

  init(_ url: String, _ script: Script, _ course: Course) {
    (self.url, self.script, self.course) = (url, script, course)
  }

  func startTime(now: Double) -> Double { script.start(now) }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    let request = course.note { record in
      record.prepared += 1
      return record.prepared
    }
    try handle.set(.url, url)
    // 127.0.0.1 is never behind the machine's proxy.
    try handle.set(.proxy, "")
    try script.prepare(handle, request)
  }

  func willSend() { script.willSend() }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    course.note { $0.headers.append(text) }
    return script.header(text)
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    let offer = course.note { record in
      record.offers += 1
      return record.offers
    }
    let verdict = script.body(offer)
    if case .taken = verdict {
      let taken = Array(bytes)
      course.note { $0.body += taken }
    }
    return verdict
  }

  func tick(now: Double) -> TickVerdict {
    course.note { $0.ticks += 1 }
    return script.tick()
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let request = course.note { record in
      record.ends.append(error)
      record.infos.append(info)
      return record.ends.count
    }
    return script.finish(request)
  }
}

extension TransferLoop {
  /// Starts a transfer that follows `script`.
  @discardableResult
  func start(_ url: String, _ script: Script = Script()) -> (course: Course, id: TransferID) {
    let course = Course()
    return (course, start { ScriptedTransfer(url, script, course) })
  }

  /// Runs `body` with a loop, and stops the loop.
  static func use(_ body: (TransferLoop) async throws -> Void) async throws {
    let loop = try TransferLoop()
    defer { loop.stop() }
    try await body(loop)
  }
}

/// Waits until `condition` holds, long enough for a busy machine; `false` if it never does.
func eventually(_ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now.advanced(by: .seconds(60))
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return true
}
