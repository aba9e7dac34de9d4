// The line that says what a command waits for before it has anything else to show, such as the answer of a source.

internal import DrayKit
internal import Synchronization
internal import TerminalUI

/// A line at the bottom of a terminal. It appears only if the wait takes longer than a second, and is erased afterwards.
/// Messages are printed above it. Pipes and files never get it.
enum WaitLine {
  private static let delay = Duration.seconds(1)
  private static let erasing = "\r\u{1B}[K"

  private struct State {
    /// Counts the waits, so that the timer of an earlier one shows nothing.
    var number = 0
    /// The line on the terminal; `nil` if there is none.
    var shown: String?
  }

  private static let state = Mutex(State())

  /// Shows `text` while `body` runs.
  /// - Parameter profile: The terminal; `nil` if nothing is shown (`-q`).
  static func during<Value, Problem: Error>(
    _ text: String, on profile: TerminalProfile?, _ body: () async throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    guard let profile, profile.isInteractive else { return try await body() }
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let timer = Task {
      do { try await Task.sleep(for: delay) } catch { return }
      show(line(text, profile), number)
    }
    defer {
      timer.cancel()
      erase()
    }
    return try await body()
  }

  /// Returns a message followed by the line, so that the line stays below it.
  static func below(_ text: String) -> String {
    guard let shown = state.withLock({ $0.shown }) else { return text }
    return erasing + text + shown
  }

  /// Returns the line: one row of the terminal at most.
  static func line(_ text: String, _ profile: TerminalProfile) -> String {
    let width = max(1, TerminalDevice.size(2).columns - 1)
    return TextFit.truncatedEnd(Messages.line(text) + profile.ellipsis, width: width, ellipsis: profile.ellipsis)
  }

  private static func show(_ line: String, _ number: Int) {
    // A background process would draw over the shell's output.
    guard TerminalDevice.isForeground(2) else { return }
    state.withLock { state in
      guard state.number == number else { return }
      state.shown = line
      SteadyOutput.standardError.write(line.utf8, patience: 100)
    }
  }

  private static func erase() {
    state.withLock { state in
      state.number += 1
      guard state.shown != nil else { return }
      state.shown = nil
      SteadyOutput.standardError.write(erasing.utf8, patience: 100)
    }
  }
}
