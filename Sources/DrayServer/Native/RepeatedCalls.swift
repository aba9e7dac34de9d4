// Remembers the calls that added jobs by their Idempotency-Key: a client that missed the answer can repeat the call to
// get it.

internal import Crypto
internal import DrayCore
internal import FoundationEssentials

/// An added job, as reported to the client.
struct AddedAnswer: Sendable, Equatable {
  var id: JobID?
  var uuid: String?
  var isExisting: Bool
}

/// The answers that were given in this run of the service. The answers of earlier runs are not kept: their jobs are
/// found by the UUIDs, which are derived from the key.
actor RepeatedCalls {
  /// The number of seconds for which an answer is kept.
  static let lifetime = 86_400.0
  /// The maximum number of answers that are kept. If there are more, the newest are kept.
  static let most = 10_000

  typealias Work = Task<Result<[AddedAnswer], APIFailure>, Never>

  private struct Call {
    var digest: [UInt8]
    var work: Work
    var at: Double
  }

  private var calls: [String: Call] = [:]
  private var order: [String] = []

  /// Runs `body`; but if the same call is in progress or was answered, returns the answer of that call.
  /// - Throws: ``APIFailure`` with 409 if the key was used for a call with another body.
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
    // A call that was refused may be repeated with another body.
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

  /// Returns the UUID that names the files of a job, derived from the key and from the job's index in the call (RFC
  /// 9562 §5.8). Each store derives a different UUID, because two stores may use the same directory.
  /// - Parameter home: The state directory, which identifies the store.
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
