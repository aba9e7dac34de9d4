// A program that is run beside a download, for its effect only.

/// Runs helpers such as `notify-send`.
public enum ChildProgram {
  /// Kills all programs that run just now, hooks too, with whatever they have started: for a process that ends at once.
  public static func killAll() { HookGroups.killAll() }

  /// Runs a program to its end, without a shell.
  /// - Parameters:
  ///   - words: the program, looked up in `PATH`, and its arguments.
  ///   - timeout: seconds until it is ended.
  public static func run(_ words: [String], timeout: Double) async -> HookReport {
    guard !words.isEmpty else { return HookReport(program: "", ending: .notStarted("no program is named")) }
    return await HookProcess(words: words, variables: [:], directory: "/", input: [], timeout: timeout).run()
  }
}
