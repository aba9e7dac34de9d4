// The bytes of an object, read in large pieces.

#if ObjectStores

internal import DrayCore
internal import Posix
internal import Synchronization

/// Reading fails as soon as the object has changed.
final class ObjectBytes: StoredBytes {
  /// The number of bytes to request at once.
  private static let step: Int64 = 8 << 20

  private let key: String
  private let facts: ObjectFacts
  private let client: ObjectClient
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
      if client.isEnding() { throw .stopped(path) }
      let lower = position + Int64(count)
      let range = lower..<min(facts.size, lower + ObjectBytes.step)
      let bytes = try ObjectTools.wait { [client, key, etag = facts.etag] () async throws(Failure) in
        try await client.bytes(key, range, etag: etag)
      }
      piece.withLock { $0 = (lower, bytes) }
    }
    return count
  }

  /// Copies bytes from the piece that was read last. Returns `nil` if that piece does not contain the byte at
  /// `position`.
  private func copy(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) -> Int? {
    piece.withLock { piece in
      let offset = Int(clamping: position - piece.lower)
      guard offset >= 0, offset < piece.bytes.count else { return nil }
      let bytes = piece.bytes[offset...].prefix(buffer.count)
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  func digests(
    _ algorithms: [DigestAlgorithm], isStopped: @Sendable () -> Bool = { false }
  ) async throws(Failure) -> [DigestValue] {
    var digest = RunningDigest(algorithms, size: facts.size)
    try await read(isStopped: isStopped) { bytes in
      digest.update(bytes)
      return true
    }
    return digest.values
  }

  func holds(_ body: CallBody) async throws(Failure) -> Bool {
    guard facts.size == Int64(body.count) else { return false }
    var (position, isEqual) = (0, true)
    try await read { bytes in
      isEqual = body.withBytes { mine in
        guard let mine = mine.baseAddress, let theirs = bytes.baseAddress else { return bytes.isEmpty }
        return System.areEqual(mine + position, theirs, bytes.count)
      }
      position += bytes.count
      return isEqual
    }
    return isEqual
  }

  /// Compares the bytes with the checksums; without checksums, with the digest. Returns `false` if neither is known.
  func holds(_ sums: BlockSums?, _ digest: DigestValue?) async throws(Failure) -> Bool {
    guard let sums, sums.covered.isWhole(facts.size) else {
      guard let digest else { return false }
      return try await digests([digest.algorithm]).contains(digest)
    }
    var (rest, sum, position, isEqual) = (sums.extents[...], CRC32C(), Int64(0), true)
    try await read { bytes in
      var bytes = bytes[...]
      while isEqual, !bytes.isEmpty, let extent = rest.first {
        let piece = bytes.prefix(Int(min(Int64(bytes.count), extent.upper - position)))
        sum.update(UnsafeRawBufferPointer(rebasing: piece))
        position += Int64(piece.count)
        bytes = bytes.dropFirst(piece.count)
        guard position == extent.upper else { continue }
        isEqual = sum == extent.sum
        (rest, sum) = (rest.dropFirst(), CRC32C())
      }
      return isEqual
    }
    return isEqual
  }

  /// Reads the bytes in pieces, until `body` returns `false`. While `body` uses one piece, the next one is requested.
  private func read(
    isStopped: @Sendable () -> Bool = { false }, _ body: (UnsafeRawBufferPointer) -> Bool
  ) async throws(Failure) {
    var position: Int64 = 0
    var next = fetch(from: 0)
    while position < facts.size {
      if position > 0, isStopped() || client.isEnding() { throw .stopped(path) }
      let bytes = try await next.value.get()
      position += Int64(bytes.count)
      next = fetch(from: position)
      guard bytes.withUnsafeBytes(body) else { return }
    }
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

#endif
