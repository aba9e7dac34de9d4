// A bucket with the destination that writes to it, without a job store.

import DrayCore
import DrayDocuments
import DrayEngine
import FaultServer
import Glibc
import Synchronization
import Threads

/// A ledger in memory.
final class Ledger: UploadLedger {
  private let marks = Mutex<[UploadMark]>([])
  private let refusal = Mutex<(@Sendable () -> Failure)?>(nil)

  /// Refuses all uploads from now on.
  func refuse(_ refusal: @escaping @Sendable () -> Failure) { self.refusal.withLock { $0 = refusal } }

  var all: [UploadMark] { marks.withLock(\.self) }

  func begin(_ mark: UploadMark) async throws(Failure) {
    if let refusal = refusal.withLock(\.self) { throw refusal() }
    marks.withLock { $0.append(mark) }
  }

  func end(_ mark: UploadMark) async throws(Failure) {
    marks.withLock { $0.removeAll { $0.id == mark.id && $0.key == mark.key && $0.storedPlace == mark.storedPlace } }
  }

  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark] {
    all.filter { name == nil || $0.part == name }
  }
}

/// A bucket, and an engine that writes to it. Must be stopped.
final class Bucket: Sendable {
  let server: FaultBucket
  let ledger = Ledger()
  let fence = WriteFence()
  let destinations: ObjectDestinations
  let destination: any Destination
  private let engine: Engine
  private let executor = BlockingExecutor("dray.test.bucket")

  /// - Parameter patience: The seconds in which a request that fails is repeated.
  init(patience: Double = 5) throws {
    server = try FaultBucket()
    engine = try Engine()
    var signature = AWSSignature()
    signature.endpoint = try RequestURL.parse(server.endpoint).url
    let access = ObjectAccess(signature: signature, credentials: Credentials(user: "AKIDANN", password: "secret"))
    var tools = ObjectTools(
      engine: { [engine] () async throws(Failure) in engine }, ledger: ledger, reader: { ObjectDocument.parse($0) },
      keys: { (known, _) throws(Failure) in known ?? access })
    tools.patience = patience
    tools.fence = fence
    destinations = ObjectDestinations(LocalDestinations(store: nil), tools)
    destination = try destinations.open(
      DirectoryPlace("s3://\(FaultBucket.name)/p", access: access), create: true)
  }

  func stop() {
    engine.stop()
    server.stop()
  }

  /// Runs blocking calls on a thread of their own.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws(Failure) -> Value) async throws -> Value {
    try await executor.run(body)
  }

  /// Makes a part of these bytes, as a transfer does.
  func part(
    _ bytes: [UInt8], as name: String = "f", part: String = "part", isLengthKnown: Bool = true,
    in other: (any Destination)? = nil
  ) async throws -> any PartStorage {
    try await run { [destination = other ?? destination] () throws(Failure) in
      let part = try destination.createPart(part)
      part.expect(isLengthKnown ? Int64(bytes.count) : nil)
      part.willBe(name, ObjectDescription())
      try Bucket.write(bytes, to: part)
      return part
    }
  }

  /// Writes bytes in pieces, each once there is room.
  static func write(_ bytes: [UInt8], to part: any PartStorage, from start: Int = 0) throws(Failure) {
    var position = start
    while position < bytes.count {
      let count = min(64 << 10, bytes.count - position)
      var tries = 0
      while part.receiver?.admits(count, at: Int64(position)) == false, tries < 2000 {
        tries += 1
        usleep(5000)
      }
      let piece = Array(bytes[position..<position + count])
      let result = piece.withUnsafeBytes { piece -> Result<Bool, Failure> in
        do throws(Failure) {
          return .success(try part.write(piece, at: Int64(position), stayingInMemory: true))
        } catch {
          return .failure(error)
        }
      }
      _ = try result.get()
      position += count
    }
  }

  /// Brings, finishes and publishes a part.
  func publish(
    _ part: any PartStorage, _ size: Int, as name: String = "f", _ replacement: Replacement = .nothing,
    in other: (any Destination)? = nil
  ) async throws -> PublishOutcome {
    try await run { () throws(Failure) in
      _ = try part.stage(size: Int64(size)) { false }
      _ = try part.finish(size: Int64(size), modified: nil, destinationIsInPlace: true)
    }
    return try await (other ?? destination).publish(part, as: name, replacement)
  }

  /// The bytes of an object.
  func bytes(_ name: String = "f") -> [UInt8]? { server.object("p/\(name)")?.bytes }
}

/// Whether a run is stopped.
final class Stop: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}

/// Bytes that differ from place to place.
func noise(_ count: Int) -> [UInt8] {
  var state: UInt64 = 88_172_645_463_325_252
  var words = [UInt64](repeating: 0, count: (count + 7) / 8)
  for index in words.indices {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    words[index] = state
  }
  return words.withUnsafeBytes { Array($0.prefix(count)) }
}
