// How far a job is that a bar is drawn of, as a line of JSON.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

extension EventJSON {
  /// How far a job is, of what is sent or of what is received.
  static func movement(_ item: BarItem, time: Double) -> JSONText {
    item.state == .sending
      ? upload(JobID(item.id), sent: item.received, length: item.size, rate: item.rate, time: time)
      : progress(
        JobID(item.id), received: item.received, size: item.size, rate: item.rate, connections: item.connections,
        time: time)
  }
}
