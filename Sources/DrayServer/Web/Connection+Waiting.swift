// The events that a connection waits for, and its deadlines.

internal import Posix

extension Connection {
  /// Whether the connection may be closed for a client with a request: it is between requests, or its request is
  /// overdue.
  func isDispensable(now: Double) -> Bool {
    guard case .reading = phase else { return false }
    return hasServed && !reader.isMidway || now - since >= context.limits.crowdedPatience
  }

  /// The events to wait for. The client's departure is always noticed.
  var wanted: Readiness {
    let writes: Readiness = output.isEmpty ? [] : .writable
    return switch phase {
    case .reading, .streaming: [.readable, writes]
    case .webSocket(let side): side.box.isFull ? writes : [.readable, writes]
    case .writing: writes
    case .lingering: .readable
    case .answering, .closed: []
    }
  }

  /// The time of the next ``expire(now:)``; `nil` for never.
  var deadline: Double? {
    let limits = context.limits
    switch phase {
    case .reading where reader.isInBody: return limits.deadline(from: since, moved: reader.held)
    case .reading: return since + (reader.isMidway ? limits.patience : limits.idle)
    case .writing:
      let stall = context.unsent > limits.unsent ? limits.crowdedPatience : limits.stall
      return min(limits.deadline(from: since, moved: sent), lastSent + stall)
    case .streaming: return lastSent + (output.isEmpty ? limits.beat : limits.stall)
    case .webSocket(let side): return side.deadline(self)
    case .lingering: return since + limits.farewell
    case .answering: return delayed?.until
    case .closed: return nil
    }
  }
}
