// The bytes of an object, read in large pieces.

internal import DrayCore
internal import Synchronization

/// The content of an object. Reading fails once the object has changed.
final class ObjectBytes: StoredBytes {
  /// The number of bytes per request.
  private static let step: Int64 = 8 << 20

  private let key: String
  private let facts: ObjectFacts
  private let client: ObjectClient
  /// The last piece that was read.
  private let piece = Mutex<(lower: Int64, bytes: [UInt8])>((0, []))

  init(_ key: String, _ facts: ObjectFacts, _ client: ObjectClient) {
    (self.key, self.facts, self.client) = (key, facts, client)
  }

  var path: String { client.path(key) }

  func identity() throws(Failure) -> FileIdentity { facts.identity(bucket: client.bucket) }

  func lock() -> Bool { true }

  func dataSegments(in range: Segment) -> [Segment] { [range] }

  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    var count = 0
    while count < buffer.count, position + Int64(count) < facts.size {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      if let more = copy(into: rest, at: position + Int64(count)) {
        count += more
        continue
      }
      let lower = position + Int64(count)
      let range = lower..<min(facts.size, lower + ObjectBytes.step)
      let bytes = try ObjectTools.wait { [client, key, etag = facts.etag] () async throws(Failure) in
        try await client.bytes(key, range, etag: etag)
      }
      piece.withLock { $0 = (lower, bytes) }
    }
    return count
  }

  /// Copies bytes of the last piece; `nil` if it does not have the byte at `position`.
  private func copy(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) -> Int? {
    piece.withLock { piece in
      let offset = Int(clamping: position - piece.lower)
      guard offset >= 0, offset < piece.bytes.count else { return nil }
      let bytes = piece.bytes[offset...].prefix(buffer.count)
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// Returns the digests of the whole object. Requests the next piece while the previous one is hashed.
  func digests(
    _ algorithms: [DigestAlgorithm], isStopped: @Sendable () -> Bool = { false }
  ) async throws(Failure) -> [DigestValue] {
    var digest = RunningDigest(algorithms)
    var position: Int64 = 0
    var next = fetch(from: 0)
    while position < facts.size {
      if position > 0, isStopped() { throw .stopped(path) }
      let bytes = try await next.value.get()
      position += Int64(bytes.count)
      next = fetch(from: position)
      bytes.withUnsafeBytes { digest.update($0) }
    }
    return digest.values
  }

  private func fetch(from position: Int64) -> Task<Result<[UInt8], Failure>, Never> {
    let range = position..<min(facts.size, position + ObjectBytes.step)
    return Task { [client, key, etag = facts.etag] in
      guard !range.isEmpty else { return .success([]) }
      do throws(Failure) { return .success(try await client.bytes(key, range, etag: etag)) } catch {
        return .failure(error)
      }
    }
  }
}
