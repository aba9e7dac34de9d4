// The transfer of a file that is probably small: its bytes stay in memory, and its owner publishes them together with
// those of other files.
//
// It handles only the usual answer: status 200, a known and small length, no special fields, and all bytes within a
// short time. The publisher compares digests, so that the loop's thread hashes nothing. After any other answer, it leaves the batch: a `FileTransfer` gets everything that has arrived, as if it
// had sent the request itself, and continues. In this way there is only one set of rules, and no request is sent twice.

internal import Curl
public import DrayCore
internal import Threads

/// A plan that many transfers share, because there may be a million of them.
public final class SharedPlan: Sendable {
  public let plan: TransferPlan

  public init(_ plan: TransferPlan) { self.plan = plan }
}

public struct SmallFile: Sendable {
  /// The part to which the file is written when it is published.
  public let part: any PartStorage
  public let size: Int64
  public let response: ResponseRecord
  /// The digests of the file that the answer offers. Nothing was compared with them yet.
  public let offered: [SourcedDigest]
}

/// The methods are called on the loop's thread, and must return at once.
public protocol SmallTransferOwner: TransferObserver {
  /// Takes a complete file. The transfer reports nothing after that.
  /// - Returns: `false` if a ``TransferOutcome`` is wanted instead.
  func transferEnded(with file: SmallFile) -> Bool
  /// Called once, just before a transfer leaves the batch. From then on, the transfer reports events as to any other
  /// observer, and ends with a ``TransferOutcome``.
  func transferLeavesBatch()
}

extension Engine {
  /// Whether small files may be kept in memory. With settings for hosts that match patterns they may not, because each
  /// request may then be different.
  public var keepsSmallFiles: Bool { hosts.rules.isEmpty }
}

/// The loop's side of a ``Transfer`` of a batch.
final class SmallTransfer: LoopTransfer {
  /// The maximum length of a small file in bytes.
  static let longest: Int64 = 256 << 10
  /// If the body is not complete after this many seconds from the head, the transfer leaves the batch, so that the body
  /// is written and recorded (P4).
  private static let patience = 0.5
  /// If the answer has one of these header fields, the bytes alone are not enough.
  private static let special = ["content-encoding", "set-cookie", "refresh"]

  private struct Answer {
    var record: ResponseRecord
    let body: SmallBody
    /// The time at which the head arrived.
    let since: Double
  }

  /// The lines of the heads, which are kept for a transfer that may take over.
  private struct KeptLines {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    mutating func append(_ line: UnsafeRawBufferPointer) {
      if bytes.isEmpty { bytes.reserveCapacity(512) }
      bytes.append(contentsOf: line)
      ends.append(bytes.count)
    }

    /// Passes the lines to `take` until `take` returns `false`.
    func pass(to take: (UnsafeRawBufferPointer) -> Bool) {
      bytes.withUnsafeBytes { all in
        var start = 0
        for end in ends {
          guard take(UnsafeRawBufferPointer(rebasing: all[start..<end])) else { return }
          start = end
        }
      }
    }
  }

  private let shared: SharedPlan
  private let opensConnection: Bool
  private let outside: Transfer
  private let owner: any SmallTransferOwner
  private let memory: SharedMemory
  private let transport: TransportMemory
  private let hosts: HostRules
  private weak var handle: EasyHandle?
  private var cookies: TransferCookies
  private var origin: Origin?
  private var parser = HeadParser()
  private var lines = KeptLines()
  private var answer: Answer?
  private var stall: StallDetector
  private var bytesSeen: Int64 = 0
  /// The transfer that has taken over; `nil` while this one handles the answer.
  private var ordinary: FileTransfer?

  init(
    _ shared: SharedPlan, opensConnection: Bool, _ outside: Transfer, _ owner: any SmallTransferOwner,
    _ memory: SharedMemory, _ transport: TransportMemory, _ hosts: HostRules
  ) {
    (self.shared, self.opensConnection, self.outside, self.owner) = (shared, opensConnection, outside, owner)
    (self.memory, self.transport, self.hosts) = (memory, transport, hosts)
    cookies = TransferCookies(shared.plan.cookies, memory.takeEngine())
    stall = StallDetector(window: shared.plan.request.stallTimeout)
  }

  private var url: RequestURL { shared.plan.request.url }

  // MARK: The request

  func startTime(now: Double) -> Double { ordinary?.startTime(now: now) ?? 0 }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    if let ordinary { return try ordinary.prepare(handle) }
    // An earlier request was never sent.
    self.handle = nil
    (parser, lines, answer, bytesSeen) = (HeadParser(), KeptLines(), nil, 0)
    stall.reset()
    let version = shared.plan.request.httpVersion
    guard transport.upgraded(url) == url, transport.version(version, for: url) == version else {
      return try leaveBatch().prepare(handle)
    }
    self.handle = handle
    memory.load.move(&origin, to: url.origin)
    try RequestOptions.apply(shared.plan.request, to: url, asking: .whole, on: handle)
    try cookies.apply(on: handle)
    if opensConnection { try handle.set(.freshConnection, true) }
    if memory.peers.wantsCertificate(of: url) { try handle.set(.certificateInfo, true) }
  }

  func willSend() { outside.noteRequest() }

  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict { ordinary?.send(into: space) ?? .abort }

  func rewind(to position: Int64) -> Bool { ordinary?.rewind(to: position) ?? false }

  // MARK: The answer

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    if let ordinary { return ordinary.receive(header: line) }
    lines.append(line)
    bytesSeen += Int64(line.count)
    switch parser.take(line) {
    case .none: return true
    case .final(let head): if begin(head) { return true }
    case .superseded, .violation: break
    }
    return leaveBatch().goesOn
  }

  /// Begins to keep the body if this is the usual answer; returns `false` if it is not.
  private func begin(_ head: ResponseHead) -> Bool {
    guard answer == nil, let handle, let length = length(of: head), let body = SmallBody(length: length, memory.small)
    else { return false }
    let record = ResponseRecord(
      finalURL: url, redirects: [], head: head, time: WallClock.now(),
      connection: memory.peers.record(handle.connection, to: url, handle.info, hasEnded: false))
    answer = Answer(record: record, body: body, since: TransferLoop.now())
    outside.noteSize(Int64(length))
    return true
  }

  /// Returns the length of the file if the answer is the usual one.
  private func length(of head: ResponseHead) -> Int? {
    guard head.status == 200, !SmallTransfer.special.contains(where: { head.first($0) != nil }),
      !shared.plan.limiters.contains(where: \.isLimited)
    else { return nil }
    var decision = AnswerDecision(
      recorded: Checkpoint(), asked: .whole, expected: shared.plan.expected, subject: "", now: 0)
    if shared.plan.verify == .none { decision.expected.digest = nil }
    if shared.plan.expected.isLinked { decision.linked = LinkedFile([head]) }
    guard case .write(let start, let until?, let total?, let comparing, nil) = decision.action(on: head),
      start == 0, until == total, comparing == 0, total <= SmallTransfer.longest
    else { return nil }
    return Int(total)
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    if let ordinary { return ordinary.receive(body: bytes) }
    if let answer, answer.body.append(bytes) {
      bytesSeen += Int64(bytes.count)
      outside.noteReceived(bytes.count)
      return .taken
    }
    let ordinary = leaveBatch()
    return ordinary.goesOn ? ordinary.receive(body: bytes) : .abort
  }

  var tickInterval: Double { ordinary?.tickInterval ?? .infinity }

  func tick(now: Double) -> TickVerdict {
    if let ordinary { return ordinary.tick(now: now) }
    if outside.isCancelled {
      _ = leaveBatch()
      return .abort
    }
    // Before the connection is open, the time limit for connecting applies.
    guard handle?.isConnected ?? false else {
      stall.reset()
      return .none
    }
    if let answer, now - answer.since > SmallTransfer.patience {
      let ordinary = leaveBatch()
      return ordinary.goesOn ? ordinary.tick(now: now) : .abort
    }
    return stall.isStalled(bytes: bytesSeen, now: now) ? leaveBatch().exchange.stalls() : .none
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    if let ordinary { return ordinary.finish(error, info: info) }
    guard error == nil, var answer, answer.body.isFull, !outside.isCancelled, cookies.report(from: handle) == nil
    else {
      return leaveBatch().finish(error, info: info)
    }
    answer.record.connection?.timings = RequestTimings(info, hasEnded: true)
    let part = SmallPart(shared.plan.partName, at: shared.plan.destination, answer.body)
    let head = answer.record.head
    let file = SmallFile(
      part: part, size: Int64(answer.body.length), response: answer.record,
      offered: shared.plan.offered(by: head) + shared.plan.offered(by: parser.trailers, of: head))
    guard owner.transferEnded(with: file) else { return leaveBatch().finish(error, info: info) }
    transport.learn(from: answer.record.head, of: url, isInsecure: shared.plan.request.isInsecure)
    memory.load.move(&origin, to: nil)
    if let engine = cookies.engine { memory.giveBack(engine) }
    outside.end()
    return .done
  }

  // MARK: Leaving the batch

  /// Creates an ordinary transfer, which gets everything that has arrived, and continues.
  private func leaveBatch() -> FileTransfer {
    var plan = shared.plan
    (plan.opensConnection, plan.hosts) = (opensConnection, hosts)
    // A request that was already sent keeps its URL.
    if handle == nil { plan.request.url = transport.upgraded(plan.request.url) }
    let file = FileTransfer(
      TransferContext(plan: plan, outside: outside, observer: owner, shared: memory, transport: transport))
    ordinary = file
    memory.load.move(&origin, to: nil)
    // The count starts from 0, because the ordinary transfer counts these bytes when it writes them.
    outside.setReceived(0)
    owner.transferLeavesBatch()
    guard let handle else { return file }
    file.takeOver(handle, cookies)
    lines.pass { file.receive(header: $0) }
    if let body = answer?.body, body.count > 0, file.goesOn { file.take(kept: body.bytes) }
    (lines, answer) = (KeptLines(), nil)
    return file
  }
}
