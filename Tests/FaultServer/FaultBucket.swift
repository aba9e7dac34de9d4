// An S3 server with one bucket that lies on purpose. Tests tell it which request gets which lie, and read the calls, the
// objects and the unfinished uploads afterwards.

import Foundation
import Synchronization

/// A bucket named `bucket` on 127.0.0.1, path style, with its own port and threads. Must be stopped.
///
/// By default it does what S3 promises, except that signatures are not checked: their access keys are.
///
/// ```swift
/// let bucket = try FaultBucket()
/// defer { bucket.stop() }
/// bucket.lie(.slowDown, to: .part, after: 1)
/// // … upload with AWS_ENDPOINT_URL_S3 = bucket.endpoint …
/// bucket.calls(.part).count
/// ```
public final class FaultBucket: Sendable {
  private struct State {
    var store = BucketStore()
    var plans: [Plan] = []
    var decide: (@Sendable (Call) -> Lie?)?
    var calls: [Call] = []
  }

  /// The bucket's name.
  public static let name = "bucket"

  private let state = Mutex(State())
  private let listener: Listener

  /// The port it listens on.
  public let port: UInt16

  /// The value of `--endpoint-url`.
  public var endpoint: String { "http://127.0.0.1:\(port)" }

  /// Starts to listen.
  ///
  /// - Throws: `SocketError` when the system gives no socket.
  public init() throws {
    listener = try Listener()
    port = listener.port
    listener.start { [self] in serve($0) }
  }

  /// Ends all connections and threads, and waits for them.
  public func stop() {
    listener.stop()
  }

  // MARK: Lies

  /// Tells `lie` to the request for `operation` that follows `after` others, and to `times` in all.
  public func lie(_ lie: Lie, to operation: Operation, after: Int = 0, times: Int = 1) {
    state.withLock { $0.plans.append(Plan(lie: lie, operation: operation, after: after, times: times)) }
  }

  /// Decides about each call that no other lie is planned for. Called under the bucket's lock, so it must not call it.
  public func decide(_ body: (@Sendable (Call) -> Lie?)?) { state.withLock { $0.decide = body } }

  /// Drops all lies that have not been told.
  public func behave() {
    state.withLock { state in
      state.plans = []
      state.decide = nil
    }
  }

  /// The number of lies that have not been told.
  public var untold: Int { state.withLock { $0.plans.count { $0.times > 0 && $0.times < 1000 } } }

  /// Changes the abilities.
  public func configure(_ change: (inout Settings) -> Void) { state.withLock { change(&$0.store.settings) } }

  // MARK: Content

  /// The object at `key`.
  public func object(_ key: String) -> Object? { state.withLock { $0.store.objects[key] } }

  /// All keys of objects.
  public var keys: Set<String> { state.withLock { Set($0.store.objects.keys) } }

  /// Puts another client's object there.
  public func put(_ key: String, _ content: FaultServer.Content) {
    let object = Self.object(content)
    state.withLock { $0.store.objects[key] = object }
  }

  /// Removes an object.
  public func remove(_ key: String) { state.withLock { $0.store.objects[key] = nil } }

  /// The ids of unfinished uploads, and their keys.
  public var uploads: [String: String] { state.withLock { $0.store.uploads.mapValues(\.key) } }

  /// The number of parts of an unfinished upload.
  public func parts(of upload: String) -> Int { state.withLock { $0.store.uploads[upload]?.parts.count ?? 0 } }

  /// Starts another client's upload, and returns its id.
  public func startUpload(_ key: String) -> String { state.withLock { $0.store.startUpload(key) } }

  /// Removes all unfinished uploads, as a lifecycle rule does.
  public func forgetUploads() { state.withLock { $0.store.uploads = [:] } }

  /// Flips one bit of a stored object, as a bad disk does; `ETag` and checksum stay.
  public func damage(_ key: String) {
    state.withLock { state in
      if state.store.objects[key]?.bytes.isEmpty == false { state.store.objects[key]?.bytes[0] ^= 1 }
    }
  }

  private static func object(_ content: FaultServer.Content) -> Object {
    let bytes = content.allBytes
    return Object(bytes: bytes, etag: "\"\(hexText(bucketMD5(bytes)))\"", fields: [:])
  }

  // MARK: The log

  /// The calls in the order they were answered.
  public var calls: [Call] { state.withLock { $0.calls } }

  /// The calls of one operation.
  public func calls(_ operation: Operation) -> [Call] { calls.filter { $0.operation == operation } }

  /// The bytes of the parts that were stored, all times counted.
  public var bytesStored: Int {
    calls.reduce(0) { $0 + ($1.operation == .part && $1.status == 200 ? $1.size : 0) }
  }

  // MARK: Serving

  private func serve(_ socket: consuming Socket) {
    let connection = BucketConnection(socket: socket, bucket: self)
    listener.track(connection.socket.descriptor) { connection.serve(number: $0) }
  }

  /// The lie that this call meets, if any.
  func nextLie(_ call: Call) -> Lie? {
    state.withLock { state in
      for index in state.plans.indices where state.plans[index].operation == call.operation {
        if state.plans[index].after > 0 {
          state.plans[index].after -= 1
        } else if state.plans[index].times > 0 {
          state.plans[index].times -= 1
          return state.plans[index].lie
        }
      }
      return state.decide?(call)
    }
  }

  /// Carries out a call with its lie. Returns nil if there is to be no answer.
  func answer(_ call: Call, _ lie: Lie?, body: [UInt8]) -> BucketAnswer? {
    var call = call
    call.size = body.count
    call.lie = lie?.name
    // Bytes are prepared outside of the lock.
    var stranger: Object?
    switch lie {
    case .stranger(let content), .mirage(let content, _): stranger = Self.object(content)
    default: break
    }
    return state.withLock { state in
      let before = state.store.objects[call.key]
      if let stranger { state.store.objects[call.key] = stranger }
      defer { if case .mirage = lie { state.store.objects[call.key] = before } }
      let answer = state.store.answer(call, lie, body: body)
      call.status = answer?.status ?? 0
      state.calls.append(call)
      return answer
    }
  }
}

extension BucketStore {
  /// Carries out a call, except for its lie. Returns nil if there is to be no answer.
  fileprivate mutating func answer(_ call: FaultBucket.Call, _ lie: FaultBucket.Lie?, body: [UInt8]) -> BucketAnswer? {
    switch lie {
    case nil, .hold, .mute, .stranger, .mirage: return answer(call, body: body)
    case .refuse(let status, let code): return .error(status, code)
    case .failAfter(let status, let code):
      _ = answer(call, body: body)
      return .error(status, code)
    case .lose:
      _ = answer(call, body: body)
      return nil
    case .drop: return nil
    case .wrongETag:
      return answer(call, body: body).with("ETag", "\"\(hexText(bucketMD5(Array("wrong".utf8))))\"")
    case .wrongChecksum:
      var answer = answer(call, body: body)
      for algorithm in BucketChecksum.allCases {
        answer = answer.with(algorithm.field, algorithm.value(of: Array("wrong".utf8)))
      }
      return answer
    case .damage:
      // The stated checksums fit the sent bytes, so they are not compared.
      let isTrusting = trustsSums
      trustsSums = true
      defer { trustsSums = isTrusting }
      var other = body
      if !other.isEmpty { other[other.count / 2] ^= 0x10 }
      return answer(call, body: other)
    case .errorInside(let code, let isDone):
      if isDone { _ = answer(call, body: body) }
      var answer = BucketAnswer.error(500, code)
      answer.status = 200
      return answer
    case .skipPage:
      var later = settings
      later.page *= 2
      let usual = settings
      settings = later
      let both = answer(call, body: body)
      settings = usual
      return both.withoutParts(settings.page)
    case .manyParts(let count):
      let items = (1...count).map { BucketStore.part($0, etag: "\"\(hexText(bucketMD5([1])))\"", size: settings.least) }
      return BucketStore.parts(items, of: call, next: count, isCut: false)
    case .abortFirst:
      uploads[call.upload] = nil
      return answer(call, body: body)
    }
  }
}

extension BucketAnswer {
  /// The same, with another value of a field that is there.
  fileprivate func with(_ name: String, _ value: String) -> BucketAnswer {
    var answer = self
    for index in answer.fields.indices where answer.fields[index].name.lowercased() == name.lowercased() {
      answer.fields[index].value = value
    }
    return answer
  }

  /// The same list without its first `count` parts.
  fileprivate func withoutParts(_ count: Int) -> BucketAnswer {
    let pieces = String(decoding: body, as: UTF8.self).components(separatedBy: "<Part>")
    guard pieces.count > 1, let head = pieces.first else { return self }
    let kept = pieces.dropFirst(1 + count)
    // The end of the document follows the last part.
    let end = kept.isEmpty ? "</ListPartsResult>" : ""
    var answer = self
    answer.body = Array((([head] + kept).joined(separator: "<Part>") + end).utf8)
    return answer
  }
}
