// Tells the user that a run has ended, with a notification of the desktop or the terminal's bell.

internal import DrayKit
internal import Posix
internal import TerminalUI

struct Herald: Sendable {
  var notifies: Bool
  /// The minimum duration of a run in seconds; shorter runs are not announced.
  var threshold: Double
  var rings: Bool

  /// Creates a herald from the options.
  /// - Throws: Kind `usage` if an option is invalid.
  init(_ arguments: DisplayArguments) throws(Failure) {
    notifies = arguments.notify
    rings = arguments.bell
    threshold =
      try arguments.notifyAfter.map { (text) throws(Failure) in
        try OptionValue.seconds(text, "--notify-after")
      } ?? 0
  }

  /// Returns the outcome of a run as a title and a line; `nil` if no job ended.
  static func words(_ summary: RunSummary, last: String?) -> (title: String, body: String)? {
    let counts = [(summary.complete, "complete"), (summary.failed, "failed"), (summary.interrupted, "interrupted")]
    let nonzero = counts.filter { $0.0 > 0 }
    guard !nonzero.isEmpty else { return nil }
    let isFine = summary.failed == 0 && summary.interrupted == 0
    let title = isFine ? "dray: done" : "dray: not everything is done"
    let sum = nonzero.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    if isFine, summary.complete == 1, let last { return (title, "\(last) is complete") }
    return (title, sum)
  }

  /// Sends the notification.
  /// - Parameters:
  ///   - elapsed: The duration of the run in seconds.
  ///   - last: The name of the file that was completed last.
  func notify(_ summary: RunSummary, elapsed: Double, last: String?) async {
    guard notifies || rings, elapsed >= threshold, let (title, body) = Herald.words(summary, last: last) else { return }
    let environment = ProcessVariables.all
    let isTerminal = TerminalDevice.isTTY(2) && environment["TERM"] != "dumb"
    if rings, isTerminal { Messages.write(TerminalNotification.bell) }
    guard notifies else { return }
    if System.usesBus, ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(environment[$0] ?? "").isEmpty }) {
      // The programs that show notifications interpret some HTML in the text.
      let escaped = TextSafety.escaped(body).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      let report = await ChildProgram.run(["notify-send", "--app-name=dray", "--", title, escaped], timeout: 5)
      if report.problem == nil { return }
    }
    if isTerminal {
      Messages.write(TerminalNotification.sequence(title: title, body: body, environment: environment))
    }
  }
}
