// Named queues: parts of the job queue with a directory and limits of their own.

/// How many bytes a queue has received in the present period of its quota.
package struct QueueUsage: Sendable, Equatable {
  /// The number of bytes.
  package var bytes: Int64
  /// The beginning of the period, in seconds since 1970.
  package var since: Double

  /// Creates a count of bytes.
  package init(bytes: Int64 = 0, since: Double = 0) { (self.bytes, self.since) = (bytes, since) }
}

/// Whether the jobs of a queue may be transferred now.
public enum QueueGate: Sendable, Equatable {
  case open
  /// Closed until the queue is resumed.
  case paused
  /// Closed until this time, in seconds since 1970, because the quota is used up.
  case spent(until: Double)
  /// Closed until the window opens, at this time in seconds since 1970.
  case closed(until: Double)

  func isClosed(at now: Double) -> Bool {
    switch self {
    case .open: false
    case .paused: true
    case .spent(let until), .closed(let until): until > now
    }
  }

  /// The word that programs read.
  public var name: String {
    switch self {
    case .open: "open"
    case .paused: "paused"
    case .spent: "quota"
    case .closed: "window"
    }
  }
}

/// A named queue as the store has it.
package struct NamedQueue: Sendable, Equatable {
  /// The name.
  package var name: String
  /// The settings.
  package var settings: QueueSettings
  /// The number of received bytes that was counted last for the quota.
  package var usage: QueueUsage

  /// Creates a queue.
  package init(_ name: String, _ settings: QueueSettings = QueueSettings(), usage: QueueUsage = QueueUsage()) {
    (self.name, self.settings, self.usage) = (name, settings, usage)
  }

  /// Returns the number of bytes that the queue has received in the present period of its quota; 0 if it has no quota.
  package func used(at now: Double, zone: LocalZone) -> Int64 {
    guard let quota = settings.quota, quota.begin(at: now, zone: zone) == usage.since else { return 0 }
    return usage.bytes
  }

  /// Returns whether the queue's jobs may be transferred at a time. Whether a queue is open is decided only here.
  package func gate(at now: Double, zone: LocalZone) -> QueueGate {
    if settings.isPaused { return .paused }
    var (renewal, opening) = (now, now)
    if let quota = settings.quota, used(at: now, zone: zone) >= quota.bytes {
      renewal = quota.end(at: now, zone: zone)
    }
    // If the window never opens, this is checked again in a year.
    if let window = settings.window { opening = window.opening(at: now, zone: zone) ?? now + 365 * 86_400 }
    guard max(renewal, opening) > now else { return .open }
    return renewal < opening ? .closed(until: opening) : .spent(until: renewal)
  }
}
