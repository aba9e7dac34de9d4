// Buckets that cannot be reached, and runs that are stopped while a bucket does not answer.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite(.timeLimit(.minutes(1)), .serialized) struct ObjectAwayTests {
  /// Longer than the limit of the suite.
  private static let patience = 600.0

  private func failure(_ body: () async throws(Failure) -> Void) async -> Failure? {
    do throws(Failure) { try await body() } catch { return error }
    return nil
  }

  @Test("a port that refuses connections is a failure long before the patience with a busy server ends")
  func refused() async throws {
    let bucket = try Bucket(patience: Self.patience)
    defer { bucket.stop() }
    bucket.server.stop()
    let failure = await failure { () async throws(Failure) in try await bucket.destination.prefetch("f") }
    #expect(
      failure?.description
        == "s3://bucket/p/f: the object store 127.0.0.1:\(bucket.server.port) refused the connection")
    #expect(failure?.kind == .network && failure?.recovery == .retry && failure?.obstacle == nil)
  }

  @Test(
    "a stopped run asks no busy bucket again, and waits for no answer that may never come", arguments: [true, false])
  func stopped(isBusy: Bool) async throws {
    let bucket = try Bucket(patience: Self.patience)
    defer { bucket.stop() }
    let gate = FaultServer.Gate()
    defer { gate.open() }
    bucket.server.lie(isBusy ? .slowDown : .hold(gate), to: .head, times: 1000)
    let stop = Stop()
    let destination = try bucket.destinations.stopping { stop.isSet }.open(bucket.destination.place, create: true)
    let asking = Task { await failure { () async throws(Failure) in try await destination.prefetch("f") } }
    // Stop it in mid-request, or between two.
    try await Task.sleep(for: .milliseconds(500))
    stop.set()
    #expect(await asking.value != nil)
  }

  @Test("an answer without an error code is explained by the answer to another request", arguments: [403, 400])
  func explained(status: Int) async throws {
    let bucket = try Bucket()
    defer { bucket.stop() }
    for operation in [FaultBucket.Operation.head, .get] {
      bucket.server.lie(.refuse(status: status, code: "SignatureDoesNotMatch"), to: operation, times: 1000)
    }
    let failure = await failure { () async throws(Failure) in try await bucket.destination.prefetch("f") }
    #expect(failure?.kind == .authentication && failure?.reason.contains("SignatureDoesNotMatch") == true)
  }
}
