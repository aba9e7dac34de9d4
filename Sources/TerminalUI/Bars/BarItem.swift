// A job's values for a bar. This module does not know jobs.

internal import DrayCore

public struct BarItem: Sendable, Hashable {
  /// The id that people use.
  public var id: Int
  /// The escaped name.
  public var name: String
  public var state: BarState
  /// The number of bytes received; while the request is sent, the number of its bytes sent.
  public var received: Int64
  /// The number of bytes expected; `nil` if unknown.
  public var size: Int64?
  /// The smoothed rate in bytes per second; `nil` if unknown.
  public var rate: Double?
  /// The remaining seconds; `nil` if unknown.
  public var eta: Double?
  /// The position where the transfer began; `nil` if it was under way when it was first seen.
  public var start: Int64?
  public var connections = 1
  /// The seconds since the start; `nil` if unknown.
  public var elapsed: Double?
  public var host: String?
  public var map: FileMap?
  /// A note on the state: the time and reason of a retry, the reason of a failure, or the reason for waiting.
  public var note: String?
  public var proof: Proof?
  public var reused: Reused?
  /// The target of the name's link, for terminals with links.
  public var link: String?

  public init(
    id: Int, name: String, state: BarState, received: Int64 = 0, size: Int64? = nil, rate: Double? = nil,
    eta: Double? = nil, note: String? = nil
  ) {
    (self.id, self.name, self.state) = (id, name, state)
    (self.received, self.size, self.rate, self.eta, self.note) = (received, size, rate, eta, note)
  }

  /// What the last column shows: the bytes that need not be fetched, or else the server.
  var remark: String? { reused?.words ?? host.map(ControlText.printable) }

  /// The width of the name in cells, with the arrow of a job that is sending.
  var nameWidth: Int { DisplayWidth.of(ControlText.printable(name)) + (state == .sending ? 2 : 0) }

  /// The fraction received (0 to 1); `nil` if the size is unknown. A complete job has 1, regardless of the counts.
  var fraction: Double? {
    if state == .complete { return 1 }
    guard let size else { return nil }
    return size > 0 ? min(1, max(0, Double(received) / Double(size))) : 0
  }

  /// The percentage, rounded down; 100 only for a complete job.
  var percent: Int? {
    if state == .complete { return 100 }
    return size.map { min(99, Percent.floor(received, of: $0)) }
  }

  /// The remaining seconds if they are worth showing: at most 99 days.
  var shownETA: Double? {
    eta.flatMap { (0...TimeText.longest).contains($0) ? $0 : nil }
  }
}

/// The bytes of a file that were found on this machine.
public struct Reused: Sendable, Hashable {
  public var bytes: Int64
  /// The length of the file.
  public var size: Int64

  public init(bytes: Int64, size: Int64) { (self.bytes, self.size) = (bytes, size) }

  /// `reused 412 of 450 MiB`.
  var words: String { "reused \(ByteCount.share(bytes, of: size))" }
}

/// The state of a job, as far as bars distinguish states.
public enum BarState: String, Sendable, Hashable, CaseIterable {
  case queued, connecting, sending, active, verifying, publishing, retrying, paused, complete, failed, interrupted

  public var isLive: Bool {
    switch self {
    case .connecting, .sending, .active, .verifying, .publishing, .retrying: true
    case .queued, .paused, .complete, .failed, .interrupted: false
    }
  }

  /// Whether the job is over in this run.
  public var isFinal: Bool {
    switch self {
    case .complete, .failed, .interrupted: true
    default: false
    }
  }

  /// Whether the job does not move, for a reason that matters more than its bar.
  var isStopped: Bool { self == .interrupted || self == .retrying }

  public var word: String { self == .verifying ? "checking" : rawValue }

  /// A name of at most five cells, for narrow lines.
  var shortWord: String {
    switch self {
    case .queued: "queue"
    case .connecting: "conn"
    case .sending: "send"
    case .active: ""
    case .verifying: "check"
    case .publishing: "move"
    case .retrying: "retry"
    case .paused: "pause"
    case .complete: "done"
    case .failed: "FAIL"
    case .interrupted: "stop"
    }
  }

  /// The colour of the bar and the state's name.
  var style: TextStyle? {
    switch self {
    case .connecting, .active, .verifying, .publishing: .cyan
    case .sending, .retrying, .paused, .interrupted: .yellow
    case .complete: .green
    case .failed: .red
    case .queued: .dim
    }
  }
}
