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

  /// How long a click is waited for, in seconds.
  private static let patience = 600.0
  /// A notification that is not refused within this time in seconds is shown.
  private static let refusal = 0.5

  /// Shows a notification from a process of its own. Returns `false` if that failed.
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
    // Old versions of notify-send have no buttons: the process that started this one then shows it without.
    guard notice.isShown else { return .other }
    _ = await report.result
    Detachment.report()
    if notice.isClicked {
      try Opener.open(directory, ProcessVariables.all, otherwise: "open it with another program")
    }
    return .success
  }
}
