// Writes the progress of a job that has a bar as a line of JSON.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

extension EventJSON {
  /// Returns the progress of a job: of its upload while a body is sent, otherwise of its download.
  static func movement(_ item: BarItem, time: Double) -> JSONText {
    item.state == .sending
      ? upload(JobID(item.id), sent: item.received, length: item.size, rate: item.rate, time: time)
      : progress(
        JobID(item.id), received: item.received, size: item.size, rate: item.rate, connections: item.connections,
        time: time)
  }
}
