// What a run learns about a server's support for conditional requests, and the look-ups that this saves.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite(.timeLimit(.minutes(1)), .serialized) struct ObjectConditionTests {
  /// Publishes small objects one after the other.
  private func publish(_ count: Int, size: Int = 1000, _ conditions: FaultBucket.Conditions) async throws -> Bucket {
    let bucket = try Bucket()
    bucket.server.configure { $0.conditions = conditions }
    for number in 1...count {
      let part = try await bucket.part(noise(size), as: "f\(number)", part: "part\(number)")
      let outcome = try await bucket.publish(part, size, as: "f\(number)")
      guard case .done = outcome else { throw Failure(.other, "f\(number)", "\(outcome)") }
      #expect(bucket.bytes("f\(number)") == noise(size))
    }
    return bucket
  }

  private func looks(_ bucket: Bucket, _ number: Int) -> Int {
    bucket.server.calls(.head).count { $0.key == "p/f\(number)" }
  }

  @Test func aServerThatObeysConditionsIsNotAskedBefore() async throws {
    let bucket = try await publish(4, .obeyed)
    defer { bucket.stop() }
    #expect((1...4).map { looks(bucket, $0) } == [2, 2, 1, 1], "\(bucket.server.calls)")
    #expect(bucket.server.calls(.put).map(\.status) == [200, 200, 412, 200, 200])
    #expect(bucket.server.calls(.put).allSatisfy { $0.fields["if-none-match"] == "*" })
    // An object that is there stays.
    bucket.server.put("p/f5", .fixed([1, 2, 3]))
    let part = try await bucket.part(noise(1000), as: "f5", part: "part5")
    #expect(try await bucket.publish(part, 1000, as: "f5") == .taken)
    #expect(bucket.bytes("f5") == [1, 2, 3])
  }

  @Test func aServerThatIgnoresConditionsIsAskedBeforeEachObject() async throws {
    let bucket = try await publish(4, .ignored)
    defer { bucket.stop() }
    #expect((1...4).map { looks(bucket, $0) } == [2, 2, 2, 2], "\(bucket.server.calls)")
    // The server refuses the bytes, because the client sends a wrong MD5 to test the condition.
    #expect(bucket.server.calls(.put).map(\.status) == [200, 200, 400, 200, 200])
    bucket.server.put("p/f5", .fixed([1, 2, 3]))
    let part = try await bucket.part(noise(1000), as: "f5", part: "part5")
    #expect(try await bucket.publish(part, 1000, as: "f5") == .taken)
    #expect(bucket.bytes("f5") == [1, 2, 3])
  }

  @Test func aServerWithoutConditionsIsNotAskedForThem() async throws {
    let bucket = try await publish(3, .refused)
    defer { bucket.stop() }
    // Before the client sends without a condition, it looks up the key once more.
    #expect((1...3).map { looks(bucket, $0) } == [3, 2, 2], "\(bucket.server.calls)")
    #expect(bucket.server.calls(.put).map(\.status) == [501, 200, 200, 200])
  }

  @Test func noLargeObjectIsSentAgain() async throws {
    let bucket = try await publish(3, size: 65 << 10, .obeyed)
    defer { bucket.stop() }
    #expect(bucket.server.calls(.put).map(\.status) == [200, 200, 200])
  }

  @Test func anAnswerThatIsLostTeachesNothing() async throws {
    let bucket = try Bucket()
    defer { bucket.stop() }
    bucket.server.lie(.slowDown, to: .put, after: 2)
    for number in 1...4 {
      let part = try await bucket.part(noise(1000), as: "f\(number)", part: "part\(number)")
      #expect(try await bucket.publish(part, 1000, as: "f\(number)") == .done(notes: []))
    }
    #expect((1...4).map { looks(bucket, $0) } == [2, 2, 2, 2], "\(bucket.server.calls)")
    #expect(bucket.server.calls(.put).map(\.status) == [200, 200, 503, 200, 200])
  }
}
