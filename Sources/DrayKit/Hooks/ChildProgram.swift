/// Runs helper programs such as `notify-send`.
package enum ChildProgram {
  /// The environment variables with secrets for dray, which are not passed to other programs.
  package static let secretVariables = [
    "DRAY_PASSWORD", "DRAY_OAUTH2_BEARER", "DRAY_KEY_PASSWORD", "DRAY_PROXY_PASSWORD", "DRAY_PASS", "DRAY_USER",
    "DRAY_PROXY_USER", "DRAY_COOKIE",
  ]

  /// Kills all running helpers and hooks with their children. Called before this process exits at once.
  package static func killAll() { HookGroups.killAll() }

  /// Runs a program to its end, without a shell.
  /// - Parameters:
  ///   - words: The program, which is looked up in `PATH`, and its arguments.
  ///   - timeout: The seconds after which the program is terminated.
  package static func run(_ words: [String], timeout: Double) async -> HookReport {
    guard !words.isEmpty else { return HookReport(program: "", ending: .notStarted("no program is named")) }
    return await HookProcess(words: words, variables: [:], directory: "/", input: [], timeout: timeout).run()
  }
}
