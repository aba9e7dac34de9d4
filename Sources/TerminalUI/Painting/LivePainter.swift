// The one writer of the live display: frames painted over each other, messages above them.

/// Paints frames on a terminal and puts it in order again at the end.
///
/// Not for use from two threads at once: its owner serializes the calls. A frame is one `write(2)`; what did not change
/// is not written again. Where the profile is not interactive frames are not painted at all, and messages are plain lines.
public final class LivePainter {
  private let profile: TerminalProfile
  private var writer: DescriptorWriter
  private var screen: FrameScript
  private var isCursorHidden = false
  private var progress: TaskbarProgress?

  /// A painter on `descriptor`, which stays its owner's.
  public init(descriptor: Int32, profile: TerminalProfile) {
    self.profile = profile
    writer = DescriptorWriter(descriptor: descriptor)
    screen = FrameScript(reflows: profile.reflows)
  }

  deinit { finish() }

  /// Paints `lines` over the frame before.
  ///
  /// A frame is skipped while the terminal has not accepted the one before. `columns` is the width of the window
  /// now: if it changed, the frame is repainted. `progress` is shown by the terminal itself if it can; nil
  /// removes it.
  public func paint(_ lines: [StyledLine], columns: Int, progress: TaskbarProgress? = nil) {
    guard profile.isInteractive else { return }
    writer.flush(patience: 0)
    guard !writer.isBehind else { return }
    var text = framed(screen.advance(to: lines, columns: columns), hidesCursor: true)
    if profile.progressReports, progress != self.progress {
      text += progress?.sequence ?? TaskbarProgress.removal
      self.progress = progress
    }
    if !text.isEmpty { writer.write(text) }
  }

  /// Prints `lines` above the frame, once and permanently.
  ///
  /// They may carry styles and links of `Style`; other control characters are dropped. They wrap as the terminal
  /// wraps. `columns` is the width of the window now; that of the last frame if nil.
  public func printAbove(_ lines: [String], columns: Int? = nil) {
    guard !lines.isEmpty else { return }
    guard profile.isInteractive else {
      writer.write(lines.map { ControlText.printable($0) + "\n" }.joined(), patience: 1000)
      return
    }
    writer.write(
      framed(screen.insert(lines.map(ControlText.styled), columns: columns), hidesCursor: false),
      patience: 1000)
  }

  /// Ends the display: the cursor is shown, the terminal's own progress is gone.
  ///
  /// Painting again starts a new frame below, so this also serves before the process is stopped (Ctrl-Z).
  ///
  /// - Parameter erasing: whether the last frame is removed from the screen.
  public func finish(erasing: Bool = false) {
    var end = erasing ? screen.erase() : ""
    if progress != nil { end += TaskbarProgress.removal }
    if isCursorHidden { end += Code.showCursor }
    writer.write(end, patience: 1000)
    screen.forget()
    progress = nil
    isCursorHidden = false
  }

  /// What a signal handler or `atexit` writes to restore the terminal, whatever was being painted.
  ///
  /// Static bytes: reading them allocates nothing and is async-signal-safe. Choose them beforehand.
  public static func restoreSequence(for profile: TerminalProfile) -> StaticString {
    guard profile.isInteractive else { return "" }
    return profile.progressReports ? restoreAll : restoreSequence
  }

  /// Wrapping on, frame ended, cursor shown.
  public static let restoreSequence: StaticString = "\u{1B}[?7h\u{1B}[?2026l\u{1B}[?25h"
  private static let restoreAll: StaticString = "\u{1B}[?7h\u{1B}[?2026l\u{1B}[?25h\u{1B}]9;4;0\u{1B}\\"

  /// A frame's codes between the marks of synchronized output; the first frame hides the cursor.
  private func framed(_ script: String, hidesCursor: Bool) -> String {
    guard !script.isEmpty else { return "" }
    let hide = hidesCursor && !isCursorHidden ? Code.hideCursor : ""
    isCursorHidden = isCursorHidden || hidesCursor
    return Code.beginFrame + hide + script + Code.endFrame
  }
}
