// aria2's lines of progress on standard output, which programs that start aria2c read.

internal import DrayKit
internal import TerminalUI

/// Writes one line per second.
final class AriaView: SessionView {
  private let output = ResultOutput.standard
  /// The time at which the last line was written; before the first line, the time of the start.
  private var last: Double?

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {}

  func show(_ model: SessionModel, now: Double) {
    let since = last ?? now
    last = since
    guard now - since >= 1, !output.isBehind, let line = AriaReadout.line(model.items) else { return }
    last = now
    output.write(line + "\n")
    output.flush()
  }

  func say(_ line: String) { Messages.print(line) }
  func finish() {}
}

enum AriaReadout {
  /// The maximum number of downloads that a line lists.
  private static let most = 5

  /// Returns `[#2089b0 400KiB/33MiB(1%) CN:1 DL:115KiB ETA:4m51s]`, or for several downloads `[DL:1.1MiB][#2089b0
  /// 400KiB/33MiB(1%)][#8ef93a 1.1MiB/2.8MiB(40%)]`; `nil` if there is no download.
  static func line(_ items: [BarItem]) -> String? {
    guard let first = items.first else { return nil }
    let rate = items.reduce(0) { $0 + ($1.rate ?? 0) }
    let speed = "DL:" + AriaResults.size(Int64(saturating: rate))
    guard items.count > 1 else {
      let seconds = Int64(saturating: first.eta ?? 0)
      let eta = seconds > 0 ? " ETA:\(time(seconds))" : ""
      return "[\(amount(first)) CN:\(first.connections) \(speed)\(eta)]"
    }
    let more = items.count > most ? "(+\(items.count - most))" : ""
    return "[\(speed)]" + items.prefix(most).map { "[\(amount($0))]" }.joined() + more
  }

  private static func amount(_ item: BarItem) -> String {
    let size = item.size ?? 0
    let percent = size > 0 ? "(\(Int64(saturating: Double(item.received) / Double(size) * 100))%)" : ""
    return "#\(AriaResults.gid(JobID(item.id))) \(AriaResults.size(item.received))/\(AriaResults.size(size))\(percent)"
  }

  private static func time(_ seconds: Int64) -> String {
    let (hours, minutes) = (seconds / 3600, seconds % 3600 / 60)
    return (hours > 0 ? "\(hours)h" : "") + (minutes > 0 ? "\(minutes)m" : "") + "\(seconds % 60)s"
  }
}
