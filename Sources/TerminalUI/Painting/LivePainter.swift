// The only writer of the live display: repaints frames, and prints messages above them.

/// Paints frames on a terminal, and restores it at the end.
///
/// Its owner must serialize the calls. A frame is one `write(2)`, and unchanged lines are not written again. If the
/// profile is not interactive, frames are not painted, and messages are plain lines.
public final class LivePainter {
  private let profile: TerminalProfile
  private let writer: SteadyOutput
  private var screen: FrameScript
  private var isCursorHidden = false
  private var progress: TaskbarProgress?

  /// Creates a painter on `descriptor`, which the caller continues to own.
  public init(descriptor: Int32, profile: TerminalProfile) {
    self.profile = profile
    writer = .to(descriptor)
    screen = FrameScript(reflows: profile.reflows)
  }

  deinit { finish() }

  /// The milliseconds that a line waits for a slow terminal.
  private static let patience: Int32 = 200

  /// Paints `lines` over the last frame.
  ///
  /// The frame is skipped if the terminal has not accepted the last one. `columns` is the present width of the window;
  /// if it changed, the frame is repainted. The terminal itself shows `progress` if it can; `nil` removes it.
  public func paint(_ lines: [StyledLine], columns: Int, progress: TaskbarProgress? = nil) {
    guard profile.isInteractive else { return }
    writer.drain(patience: 0)
    guard !writer.isBehind else { return }
    var text = framed(screen.advance(to: lines, columns: columns), hidesCursor: true)
    if profile.progressReports, progress != self.progress {
      text += progress?.sequence ?? TaskbarProgress.removal
      self.progress = progress
    }
    if !text.isEmpty { writer.write(text.utf8) }
  }

  /// Prints `lines` permanently above the frame.
  ///
  /// The lines may have styles and links of `Style`; other control characters are dropped. The terminal wraps them.
  /// `columns` is the present width of the window, by default that of the last frame.
  public func printAbove(_ lines: [String], columns: Int? = nil) {
    // A script that is dropped would shift the frame.
    guard !lines.isEmpty, writer.hasRoom else { return }
    let text =
      profile.isInteractive
      ? framed(screen.insert(lines.map(ControlText.styled), columns: columns), hidesCursor: false)
      : lines.map { ControlText.printable($0) + "\n" }.joined()
    writer.write(text.utf8, patience: LivePainter.patience)
  }

  /// Ends the display: shows the cursor, and removes the terminal's own progress.
  ///
  /// Painting again starts a new frame below, so call this also before the process stops (Ctrl-Z).
  ///
  /// - Parameters:
  ///   - erasing: Whether to remove the last frame from the screen.
  ///   - columns: The present width of the window, by default that of the last frame. A terminal that was made narrower
  ///     since has wrapped the frame's lines.
  public func finish(erasing: Bool = false, columns: Int? = nil) {
    var end = erasing ? screen.erase(columns: columns) : ""
    if progress != nil { end += TaskbarProgress.removal }
    if isCursorHidden { end += Code.showCursor }
    writer.write(end.utf8, patience: LivePainter.patience)
    screen.forget()
    progress = nil
    isCursorHidden = false
  }

  /// Returns the bytes with which a signal handler or `atexit` restores the terminal during any painting.
  ///
  /// They are static, so reading them allocates nothing and is async-signal-safe. Call this beforehand.
  public static func restoreSequence(for profile: TerminalProfile) -> StaticString {
    guard profile.isInteractive else { return "" }
    return profile.progressReports ? restoreAll : restoreSequence
  }

  /// Enables wrapping, ends the frame, shows the cursor.
  public static let restoreSequence: StaticString = "\u{1B}[?7h\u{1B}[?2026l\u{1B}[?25h"
  private static let restoreAll: StaticString = "\u{1B}[?7h\u{1B}[?2026l\u{1B}[?25h\u{1B}]9;4;0\u{1B}\\"

  /// Returns a frame's codes between the marks of synchronized output. The first frame hides the cursor.
  private func framed(_ script: String, hidesCursor: Bool) -> String {
    guard !script.isEmpty else { return "" }
    let hide = hidesCursor && !isCursorHidden ? Code.hideCursor : ""
    isCursorHidden = isCursorHidden || hidesCursor
    return Code.beginFrame + hide + script + Code.endFrame
  }
}
