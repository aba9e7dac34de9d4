// What a bar shows of a job, as plain values: this module does not know jobs.

/// One job as the bars see it.
public struct BarItem: Sendable, Hashable {
  /// The id that people use.
  public var id: Int
  /// The name to show, escaped already.
  public var name: String
  /// What is going on.
  public var state: BarState
  /// Bytes received; while it is sending, bytes of the request that were sent.
  public var received: Int64
  /// Bytes expected; nil if unknown.
  public var size: Int64?
  /// Bytes a second, smoothed; nil if unknown.
  public var rate: Double?
  /// Seconds left; nil if unknown.
  public var eta: Double?
  /// Connections that fetch it at once.
  public var connections = 1
  /// Seconds since it began; nil if that was not seen.
  public var elapsed: Double?
  /// The server that it comes from.
  public var host: String?
  /// Which parts of it are there; nil if that is not known.
  public var map: FileMap?
  /// A remark on the state: when it is retried and why, why it failed, what it waits for.
  public var note: String?
  /// What it was checked with, once it is complete.
  public var proof: Proof?
  /// Where the name links to, in terminals that have links.
  public var link: String?

  /// Creates an item with one connection, of which only these values are known.
  public init(
    id: Int, name: String, state: BarState, received: Int64 = 0, size: Int64? = nil, rate: Double? = nil,
    eta: Double? = nil, note: String? = nil
  ) {
    (self.id, self.name, self.state) = (id, name, state)
    (self.received, self.size, self.rate, self.eta, self.note) = (received, size, rate, eta, note)
  }

  /// Columns that the name takes, with the arrow of one that is sending.
  var nameWidth: Int { DisplayWidth.of(ControlText.printable(name)) + (state == .sending ? 2 : 0) }

  /// How much is there: 0 to 1, or nil if the size is unknown. Complete is 1, whatever was counted.
  var fraction: Double? {
    if state == .complete { return 1 }
    guard let size else { return nil }
    return size > 0 ? min(1, max(0, Double(received) / Double(size))) : 0
  }

  /// Whole percents, rounded down; 100 only if complete.
  var percent: Int? {
    if state == .complete { return 100 }
    return size.map { min(99, Percent.floor(received, of: $0)) }
  }

  /// The time left if it is worth showing: a number, at most 99 days.
  var shownETA: Double? {
    eta.flatMap { (0...TimeText.longest).contains($0) ? $0 : nil }
  }
}

/// The state of a job, as far as a bar distinguishes it.
public enum BarState: String, Sendable, Hashable, CaseIterable {
  case queued, connecting, sending, active, verifying, publishing, retrying, paused, complete, failed, interrupted

  /// Whether the job is being worked on right now.
  public var isLive: Bool {
    switch self {
    case .connecting, .sending, .active, .verifying, .publishing, .retrying: true
    case .queued, .paused, .complete, .failed, .interrupted: false
    }
  }

  /// Whether nothing more will happen to the job in this run.
  public var isFinal: Bool {
    switch self {
    case .complete, .failed, .interrupted: true
    default: false
    }
  }

  /// What it is called in a line.
  public var word: String { self == .verifying ? "checking" : rawValue }

  /// At most five cells, for lines that have no room for the word.
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

  /// The colour of bar and word.
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
