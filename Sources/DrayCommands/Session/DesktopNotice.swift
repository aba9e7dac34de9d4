// Notifications of the desktop, by notify-send.

internal import DrayKit
internal import Posix

enum DesktopNotice {
  /// Whether there is a desktop to show them.
  static func isPossible(_ environment: [String: String]) -> Bool {
    System.usesBus && ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
  }

  /// Shows a notification.
  /// - Parameters:
  ///   - action: The key and text of a button. If given, this function waits until the user clicks it or dismisses the
  ///     notification.
  ///   - timeout: The seconds after which it stops waiting.
  /// - Returns: Whether the notification was shown, and whether its button was clicked.
  static func show(
    _ title: String, _ body: String, action: (key: String, text: String)? = nil, timeout: Double = 5
  ) async -> (isShown: Bool, isClicked: Bool) {
    // The programs that show notifications interpret some HTML in the text.
    let escaped = TextSafety.escaped(body).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    var words = ["notify-send", "--app-name=dray"]
    if let action { words += ["--icon=dray", "--wait", "--action=\(action.key)=\(action.text)"] }
    let report = await ChildProgram.run(words + ["--", title, escaped], timeout: timeout)
    guard let action else { return (report.problem == nil, false) }
    if case .timedOut = report.ending { return (true, false) }
    return (report.problem == nil, report.output.contains(action.key))
  }
}
