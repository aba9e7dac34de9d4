// `dray desktop-notice`: a process in the background that shows a notification and opens a directory after a click.

internal import ArgumentParser
internal import DrayKit

struct DesktopNoticeCommand: DrayCommand {
  static let name = "desktop-notice"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Show a notification with a button that opens a directory.",
    discussion: "`--notify` starts this command.", shouldDisplay: false)

  @Argument(help: "The title.")
  var title: String
  @Argument(help: "The text.")
  var text: String
  @Argument(help: "The directory.", completion: .directory)
  var directory: String

  /// The seconds to wait for a click.
  private static let patience = 600.0
  /// The seconds after which a notification that was not refused counts as shown.
  private static let refusal = 0.5

  /// Shows a notification from a separate process. Returns `false` if that failed.
  static func start(_ title: String, _ text: String, _ directory: String) -> Bool {
    (try? Detachment.start([name, "--", title, text, directory], named: name))?.isReady ?? false
  }

  func execute() async throws -> ExitStatus {
    let report = Task {
      try await Task.sleep(for: .seconds(Self.refusal))
      Detachment.report()
    }
    let notice = await DesktopNotice.show(title, text, action: ("open", "Open folder"), timeout: Self.patience)
    report.cancel()
    // Old versions of notify-send have no buttons; the parent process then shows the notification without one.
    guard notice.isShown else { return .other }
    _ = await report.result
    Detachment.report()
    if notice.isClicked {
      try Opener.open(directory, ProcessVariables.all, otherwise: "open it with another program")
    }
    return .success
  }
}
