// Makes requests to a bucket. It signs requests, tries again while the server is busy, and corrects the clock and the
// keys once.

#if ObjectStores

internal import Crypto
public import DrayCore
internal import Synchronization
internal import Threads

enum ObjectError: Error {
  case refused(S3Refusal)
  /// No answer arrived; the server may have carried out the request.
  case lost(Failure)
  case other(Failure)

  /// The meaning of the refusal; `nil` for any other error.
  var meaning: S3Refusal.Meaning? { if case .refused(let refusal) = self { refusal.meaning } else { nil } }

  var isUndecided: Bool {
    switch self {
    case .lost: true
    case .refused(let refusal): refusal.meaning == .busy || refusal.meaning == .conflict
    case .other: false
    }
  }
}

public final class ObjectClient: Sendable {
  private struct State {
    var access: ObjectAccess?
    /// The time at which the keys were read.
    var readAt = -Double.infinity
    /// The seconds by which the server's clock is ahead; `nil` until the server has refused this machine's time.
    var skew: Int64?
    /// The checksums to try, best first; empty if the server supports none.
    var checksums = S3Checksum.preferred
    /// Whether the server is known to check the first of ``checksums``.
    var isChecked = false
    /// Whether the server honours conditions of requests that write; `nil` if unknown.
    var honoursConditions: Bool?
    /// The number of small objects that were created before that was known.
    var made = 0
  }

  public let bucket: String
  let tools: ObjectTools
  private let given: ObjectAccess?
  private let state: Shared
  /// Whether the run was stopped; failed requests are then not repeated.
  let isEnding: @Sendable () -> Bool

  private final class Shared: Sendable {
    private let state = Mutex(State())

    func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }
  }

  /// The maximum size of an answer with a list.
  private static let longestList = 32 << 20

  /// Creates a client for a bucket.
  /// - Parameter access: The server and the keys; `nil` for those of the environment.
  public init(bucket: String, _ access: ObjectAccess?, _ tools: ObjectTools) {
    (self.bucket, given, self.tools) = (bucket, access, tools)
    (state, isEnding) = (Shared(), { false })
  }

  private init(_ other: ObjectClient, isEnding: @escaping @Sendable () -> Bool) {
    (bucket, given, tools, state) = (other.bucket, other.given, other.tools, other.state)
    self.isEnding = isEnding
  }

  /// Returns this client for a run that can be stopped.
  func ending(when isEnding: @escaping @Sendable () -> Bool) -> ObjectClient {
    ObjectClient(self, isEnding: isEnding)
  }

  /// The signature; `nil` before the first request if the access comes from the environment.
  var signature: AWSSignature? { state.withLock { $0.access?.signature } ?? given?.signature }

  /// Returns the server (``DrayCore/AWSSignature/server``). The call reads configuration files.
  func server() throws(Failure) -> String {
    do throws(ObjectError) { return try current().signature.server } catch { throw failure(error, "") }
  }

  public func path(_ key: String) -> String { "\(ObjectPlace.start)\(bucket)/\(key)" }

  func failure(_ error: ObjectError, _ key: String) -> Failure {
    switch error {
    case .refused(let refusal):
      let access = state.withLock { $0.access } ?? ObjectAccess(signature: AWSSignature())
      let subject = refusal.meaning == .noBucket || key.isEmpty ? ObjectPlace.start + bucket : path(key)
      return refusal.failure(subject, access)
    case .lost(let failure):
      return failure.of(key.isEmpty ? ObjectPlace.start + bucket : path(key))
    case .other(let failure):
      return failure
    }
  }

  // MARK: Checksums

  /// The checksum to use; `nil` if the server supports none.
  var checksum: DigestAlgorithm? { state.withLock { $0.checksums.first } }

  /// Records that the server refuses this checksum algorithm.
  func drop(_ checksum: DigestAlgorithm) {
    state.withLock { state in
      state.checksums.removeAll { $0 == checksum }
      state.isChecked = false
    }
  }

  /// Records whether an answer repeats the checksum of its request. A server that never repeats the checksum does not
  /// check it.
  func note(_ checksum: DigestAlgorithm, isRepeated: Bool) {
    state.withLock { state in
      guard state.checksums.first == checksum, !state.isChecked else { return }
      if isRepeated { state.isChecked = true } else { state.checksums = [] }
    }
  }

  // MARK: Conditions

  /// Whether the server honours conditions of requests that write; `nil` if unknown. Amazon's server honours them.
  var honoursConditions: Bool? {
    state.withLock { $0.honoursConditions ?? ($0.access.map { $0.signature.endpoint == nil } == true ? true : nil) }
  }

  func noteConditions(honoured: Bool) { state.withLock { $0.honoursConditions = honoured } }

  /// Whether to find out now whether the server honours conditions. This is done once, when the second small object is
  /// created. For a single object it would save nothing: looking up the key costs as many requests.
  func mustLearnConditions() -> Bool {
    guard honoursConditions == nil else { return false }
    return state.withLock { state in
      state.made += 1
      return state.made == 2
    }
  }

  // MARK: Requests

  /// Whether a request is repeated, and for how long.
  struct Retries: Sendable {
    /// Whether the request may be sent again if its answer is lost; `nil` to decide by its kind.
    var repeats: Bool?
    /// The seconds for which a busy server is tried again; `nil` for the default.
    var patience: Double?

    static let none = Retries(repeats: false, patience: 0)
  }

  /// Makes a request. If the server is busy or does not answer, the request is repeated, as far as that is safe. A
  /// server that accepts no connections is tried for only a few seconds.
  /// - Parameters:
  ///   - retries: Whether the request is repeated, and for how long.
  ///   - pass: The pass of the work to which a write belongs; `nil` for work that begins now.
  ///   - isStopped: Whether to give up.
  func send(
    _ call: S3Call, _ body: CallBody? = nil, retries: Retries = Retries(), longest: Int = longestList,
    pass: WriteFence.Pass? = nil, isStopped: @escaping @Sendable () -> Bool = { false }
  ) async throws(ObjectError) -> DocumentAnswer {
    let body = body ?? .bytes(call.body)
    let repeats = retries.repeats ?? call.isRepeatable
    let end = SteadyClock.now() + min(retries.patience ?? tools.patience, tools.patience)
    let engine = try await engine()
    let guarding = guarding(call, pass)
    var (tries, isAdjusted, isRefreshed, hash) = (0, false, false, String?.none)
    // The time at which the server first accepted no connection.
    var awaySince: Double?
    while true {
      if StopPatience.writes(call.method), isEnding() { throw .other(.stopped(path(call.key))) }
      let access = try current()
      let (skew, isSecure) = (state.withLock { $0.skew }, isSecure(access))
      if hash == nil { hash = isSecure && body.count > 0 ? RequestSignature.unsignedBody : ObjectClient.sha256(body) }
      let date = skew.map { SignatureTime.text(Int64(WallClock.now()) + $0) }
      var request = TransferRequest(call, bucket: bucket, access, content: hash ?? "", date: date)
      if call.joinsParts { request.stallTimeout = max(request.stallTimeout, ObjectClient.longestSilence) }
      let error: ObjectError
      // After the end of the lease, do not repeat a write either: the next owner may have created the object by now.
      if let guarding { do throws(Failure) { try guarding() } catch { throw .other(error) } }
      let begun = SteadyClock.now()
      switch await engine.perform(
        request, body, joinsParts: call.joinsParts, longest: longest, isEnding: isEnding, guarding: guarding)
      {
      case .success(let answer):
        awaySince = nil
        guard let refusal = refusal(answer, call) else { return answer }
        error = .refused(refusal)
        let meaning = meaning(of: refusal, to: call, access)
        if case .clock(let time?) = meaning, !isAdjusted {
          isAdjusted = true
          state.withLock { $0.skew = time - Int64(WallClock.now()) }
          continue
        }
        if meaning == .expired, !isRefreshed {
          isRefreshed = true
          if try refresh(from: access) { continue }
        }
        // A busy server has not carried out the request, but a server with an internal error may have.
        guard repeats || refusal.code == "SlowDown" || refusal.status == 429,
          [.busy, .damaged, .conflict].contains(meaning)
        else { throw error }
      case .failure(let lost):
        // The fence stopped the request before its body was complete, so the server has changed nothing.
        if lost.failure.isStoreAway { throw .other(lost.failure) }
        error = .lost(lost.failure)
        guard repeats || !lost.wasSent, lost.failure.recovery == .retry || lost.failure.kind == .network else {
          throw error
        }
        awaySince = lost.isUnreachable ? awaySince ?? begun : nil
      }
      let wait = ObjectClient.pause(tries, error)
      let last = min(end, awaySince.map { $0 + ObjectClient.mostAway } ?? .infinity)
      guard SteadyClock.now() + wait < last, !isStopped(), !isEnding() else { throw error }
      tries += 1
      do { try await rest(wait) } catch { throw .other(.stopped(path(call.key))) }
      if isEnding() { throw error }
    }
  }

  /// The check before a write; `nil` for a request that writes nothing.
  private func guarding(
    _ call: S3Call, _ pass: WriteFence.Pass?
  ) -> (@Sendable () throws(Failure) -> Void)? {
    guard let fence = tools.fence, call.method != "GET", call.method != "HEAD" else { return nil }
    return { [path = path(call.key), pass = pass ?? fence.pass] () throws(Failure) in try fence.check(path, pass) }
  }

  /// The seconds for which a server that accepts no connections is tried; after that, the job's own retries take over.
  private static let mostAway = 5.0

  /// Waits for some seconds, or until the run is stopped.
  func rest(_ seconds: Double) async throws {
    let end = SteadyClock.now() + seconds
    while !isEnding() {
      let left = end - SteadyClock.now()
      guard left > 0 else { return }
      try await Task.sleep(for: .seconds(min(left, ObjectClient.glance)))
    }
  }

  /// The seconds between two checks of whether the run is stopped.
  private static let glance = 0.1

  /// The maximum number of seconds for which the server may send nothing while it joins the parts of an object.
  /// Amazon's documentation says that joining may take minutes.
  private static let longestSilence: Double = 300

  /// Returns the seconds to wait before the next try.
  private static func pause(_ tries: Int, _ error: ObjectError) -> Double {
    let usual = min(8, 0.1 * Double(1 << min(tries, 8))) * Double.random(in: 0.5..<1.5)
    guard case .refused(let refusal) = error, let asked = refusal.retryAfter else { return usual }
    return max(usual, Double(min(asked, 60)))
  }

  private func engine() async throws(ObjectError) -> Engine {
    do throws(Failure) { return try await tools.engine() } catch { throw .other(error) }
  }

  private func current() throws(ObjectError) -> ObjectAccess {
    let known = state.withLock { state in
      SteadyClock.now() - state.readAt < ObjectClient.trust ? state.access : nil
    }
    if let known { return known }
    return try read(isExpired: false)
  }

  /// The seconds after which the keys of a profile are read again, because other programs replace expired keys.
  private static let trust = 60.0

  private func read(isExpired: Bool) throws(ObjectError) -> ObjectAccess {
    do throws(Failure) {
      let access = try tools.keys(given, isExpired)
      state.withLock { ($0.access, $0.readAt) = (access, SteadyClock.now()) }
      return access
    } catch {
      throw .other(error)
    }
  }

  /// Reads the keys again, and returns whether they have changed.
  private func refresh(from old: ObjectAccess) throws(ObjectError) -> Bool {
    // Another request may have read the new keys already.
    if let known = state.withLock({ $0.access }), known != old { return true }
    return try read(isExpired: true) != old
  }

  /// Whether the connection protects the body, so that the signature need not cover the body.
  private func isSecure(_ access: ObjectAccess) -> Bool {
    access.signature.endpoint?.scheme ?? "https" == "https" && !(access.signature.targetTrust?.isInsecure ?? false)
  }

  private func refusal(_ answer: DocumentAnswer, _ call: S3Call) -> S3Refusal? {
    let isSuccess = (200..<300).contains(answer.head.status)
    // The body may be an error even if the status is a success.
    guard isSuccess else { return S3Refusal(answer.head, document(answer), now: Int64(WallClock.now())) }
    guard call.method == "POST", let document = document(answer), document.name == "Error" else { return nil }
    return S3Refusal(answer.head, document, now: Int64(WallClock.now()))
  }

  func document(_ answer: DocumentAnswer) -> S3Element? {
    // While a server works, it may first send white space to keep the connection open.
    let bytes = answer.bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return bytes.first == UInt8(ascii: "<") ? tools.reader(Array(bytes)) : nil
  }

  /// An answer to HEAD has no error code, so compare the clocks to recognize a refused time.
  private func meaning(of refusal: S3Refusal, to call: S3Call, _ access: ObjectAccess) -> S3Refusal.Meaning {
    guard call.method == "HEAD", refusal.code.isEmpty, [400, 403].contains(refusal.status), access.credentials != nil
    else { return refusal.meaning }
    let now = Int64(WallClock.now()) + (state.withLock { $0.skew } ?? 0)
    if let date = refusal.date, abs(date - now) > ObjectClient.mostSkew { return .clock(date) }
    return .expired
  }

  /// The number of seconds by which clocks may differ before a server refuses the time.
  private static let mostSkew: Int64 = 300

  private static func sha256(_ body: CallBody) -> String {
    body.withBytes { bytes in
      var function = SHA256()
      function.update(bufferPointer: bytes)
      return DigestValue(.sha256, bytes: Array(function.finalize())).hex
    }
  }
}

#endif
