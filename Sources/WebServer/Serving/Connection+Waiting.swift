// The deadlines of a connection.

internal import NIOCore

extension Connection {
  /// Whether the connection may be closed to make room for another client: it is between requests, or its request is
  /// overdue.
  func isDispensable(now: Double) -> Bool {
    guard case .reading = phase else { return false }
    return hasServed && !isMidway || now - since >= limits.crowdedPatience
  }

  /// The time of the next ``expire()``; `nil` for never.
  private var deadline: Double? {
    switch phase {
    // A stranger's time does not grow with the bytes that it sends or announces.
    case .reading where isInBody && isStranger: return since + limits.strangerPatience
    case .reading where isInBody: return limits.deadline(from: since, moved: gate.held + assembler.held)
    case .reading: return since + (isMidway ? limits.patience : limits.idle)
    case .writing:
      let stall = server.unsent > limits.unsent ? limits.crowdedPatience : limits.stall
      return min(limits.deadline(from: since, moved: output.sent), output.lastSent + stall)
    case .streaming: return output.lastSent + (output.waiting == 0 ? limits.beat : limits.stall)
    case .webSocket(let side): return side.deadline(output, limits)
    case .lingering: return since + limits.farewell
    case .answering: return delayed?.until
    case .closed: return nil
    }
  }

  private var isInBody: Bool { gate.isInBody }

  /// Completes an event: counts the bytes in memory, and sets the timer.
  func settle() {
    guard !isClosed else { return }
    if case .reading = phase {
      let isMidway = isMidway
      if isMidway, !wasMidway { since = server.now }
      wasMidway = isMidway
    }
    count()
    arm()
  }

  func count() {
    guard !isClosed else { return }
    server.held[countedIn] -= counted
    (counted, countedIn) = (held, purse)
    server.held[countedIn] += counted
  }

  /// Sets the timer unless it fires early enough. A timer that fires too early is then set again, so that few requests
  /// need a new timer.
  private func arm() {
    guard !isClosed, var due = deadline else { return }
    // No event reports that a client reads.
    if output.waiting > 0 { due = min(due, output.looked + min(limits.stall / 4, 1)) }
    guard due < timerDue, due < 1e9 else { return }
    timer?.cancel()
    timerDue = due
    // A little later, because of rounding.
    let deadline = NIODeadline.uptimeNanoseconds(UInt64(max(due, 0) * 1e9) + 1000)
    timer = server.loop.assumeIsolated().scheduleTask(deadline: deadline) { self.fire() }
  }

  private func fire() {
    (timer, timerDue) = (nil, .infinity)
    guard !isClosed else { return }
    if output.waiting > 0 { measure() }
    if let deadline, deadline <= server.now { expire() }
    settle()
  }

  private func expire() {
    switch phase {
    case .reading where isMidway: refuse(WebRefusal(408, "The request took too long."))
    case .streaming(let side) where output.waiting == 0: beat(side)
    case .webSocket(let side) where output.waiting == 0: expire(side)
    case .writing, .streaming, .webSocket: drop("it does not read")
    case .answering where delayed != nil: answerDelayed()
    case .reading, .lingering, .answering, .closed: close(.left)
    }
  }
}
