internal import DrayCore
internal import Synchronization

/// The windows of queued jobs, parsed once and kept from one claim to the next.
final class KnownWindows: Sendable {
  private struct Entry: Sendable {
    /// The parsed window; `nil` for a text that is not a window.
    var window: TransferWindow?
    var opening: Opening?
  }

  private struct Opening: Sendable {
    /// The moment for which the opening was computed.
    var from: Double
    /// The zone's offset at that moment.
    var offset: Int
    var moment: Double
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Returns the closed windows with the times at which they open. Windows that are not in `texts` are forgotten.
  /// - Parameter opens: Whether the caller needs these times; if not, they are `now`.
  func closed(among texts: [String], now: Double, zone: LocalZone, opens: Bool) -> [String: Double] {
    guard !texts.isEmpty else { return [:] }
    let before = entries.withLock { $0 }
    var after: [String: Entry] = [:]
    var closed: [String: Double] = [:]
    for text in texts {
      var entry = before[text] ?? Entry(window: try? TransferWindow.parse(text))
      if let window = entry.window, !window.isOpen(at: now, zone: zone) {
        if opens {
          let opening = KnownWindows.opening(of: window, entry.opening, now: now, zone: zone)
          closed[text] = opening.moment
          entry.opening = opening
        } else {
          closed[text] = now
        }
      }
      after[text] = entry
    }
    entries.withLock { $0 = after }
    return closed
  }

  /// Returns when a closed window opens. A time that was computed earlier stays valid until it is reached.
  private static func opening(
    of window: TransferWindow, _ known: Opening?, now: Double, zone: LocalZone
  ) -> Opening {
    let offset = zone.offset(now)
    if let known, known.offset == offset, known.from <= now, now < known.moment { return known }
    // If the window never opens, it is checked again in a year.
    let moment = window.opening(at: now, zone: zone) ?? now + 365 * 86_400
    return Opening(from: now, offset: offset, moment: moment)
  }
}
