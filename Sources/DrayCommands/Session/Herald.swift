// Tells the user that a run has ended, with a notification of the desktop or the terminal's bell.

internal import DrayKit
internal import Posix
internal import TerminalUI

struct Herald: Sendable {
  var notifies: Bool
  /// The minimum duration of a run in seconds; shorter runs are not announced.
  var threshold: Double
  var rings: Bool
  /// Shows a notification with a button that opens a directory, from a process that outlives this one, because somebody
  /// must wait for the click. Returns `false` if it could not be shown.
  let showsFolder: @Sendable (_ title: String, _ body: String, _ directory: String) -> Bool

  /// Creates a herald from the options.
  /// - Throws: Kind `usage` if an option is invalid.
  init(
    _ arguments: DisplayArguments, showsFolder: @escaping @Sendable (String, String, String) -> Bool
  ) throws(Failure) {
    self.showsFolder = showsFolder
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
  ///   - last: The path of the file that was completed last.
  func notify(_ summary: RunSummary, elapsed: Double, last: String?) async {
    guard notifies || rings, elapsed >= threshold,
      let (title, body) = Herald.words(summary, last: last.map { PathText.name(of: $0) })
    else { return }
    let environment = ProcessVariables.all
    let isTerminal = TerminalDevice.isTTY(2) && environment["TERM"] != "dumb"
    if rings, isTerminal { Messages.write(TerminalNotification.bell) }
    guard notifies else { return }
    if DesktopNotice.isPossible(environment) {
      // An object has no directory that could be opened.
      let directory = last.flatMap { $0.hasPrefix("/") ? PathText.split($0).directory : nil }
      if let directory, (try? Opener.find(environment)) != nil, showsFolder(title, body, directory) { return }
      if await DesktopNotice.show(title, body).isShown { return }
    }
    if isTerminal {
      Messages.write(TerminalNotification.sequence(title: title, body: body, environment: environment))
    }
  }
}
