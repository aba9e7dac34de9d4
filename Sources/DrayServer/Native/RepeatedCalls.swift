// Remembers adding calls by their Idempotency-Key: a client that missed the answer repeats the call and gets it.

internal import Crypto
internal import DrayCore
internal import FoundationEssentials

/// An added job, as reported to the client.
struct AddedAnswer: Sendable, Equatable {
  var id: JobID?
  var uuid: String?
  var isExisting: Bool
}

/// The answers of this run of the service. Earlier ones are found by the jobs' UUIDs, which are derived from the key.
actor RepeatedCalls {
  /// The lifetime of an answer in seconds.
  static let lifetime = 86_400.0
  /// The maximum number of answers. The newest stay.
  static let most = 10_000

  typealias Work = Task<Result<[AddedAnswer], APIFailure>, Never>

  private struct Call {
    var digest: [UInt8]
    var work: Work
    var at: Double
  }

  private var calls: [String: Call] = [:]
  private var order: [String] = []

  /// Runs `body`, waits for the same call in progress, or returns its answer.
  /// - Throws: ``APIFailure`` with 409 if the key was used with another body.
  func answer(
    _ key: String, _ request: [UInt8], now: Double,
    _ body: @escaping @Sendable () async throws(APIFailure) -> [AddedAnswer]
  ) async throws(APIFailure) -> [AddedAnswer] {
    forget(now: now)
    let digest = Array(SHA256.hash(data: request))
    if let call = calls[key] {
      guard call.digest == digest else { throw RepeatedCalls.differs }
      return try await call.work.value.get()
    }
    let work = Work {
      do throws(APIFailure) { return .success(try await body()) } catch { return .failure(error) }
    }
    calls[key] = Call(digest: digest, work: work, at: now)
    order.append(key)
    let result = await work.value
    // A refused call may be repeated with another body.
    if case .failure = result {
      calls[key] = nil
      order.removeAll { $0 == key }
    }
    return try result.get()
  }

  static let differs = APIFailure(
    409, .conflict, "this Idempotency-Key was used for something else", advice: "use a new one")

  private func forget(now: Double) {
    while let first = order.first,
      order.count >= RepeatedCalls.most || now - (calls[first]?.at ?? 0) > RepeatedCalls.lifetime
    {
      calls[first] = nil
      order.removeFirst()
    }
  }

  /// Returns the UUID of a job's files, derived from the key and the job's index in the call (RFC 9562 §5.8). The UUID
  /// depends on the store, because two stores may share a directory.
  /// - Parameter home: The state directory.
  static func uuid(_ key: String, _ index: Int, in home: String) -> UUID {
    var bytes = Array(SHA256.hash(data: Array("dray.idempotency\n\(home)\n\(key)\n\(index)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let places = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    let words = places.map { place in String(text.dropFirst(place.lowerBound).prefix(place.count)) }
    return UUID(uuidString: words.joined(separator: "-")) ?? UUID()
  }
}
