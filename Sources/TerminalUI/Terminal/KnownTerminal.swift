// Which terminals understand OSC 8 links and OSC 9;4 progress. There is no way to ask, so this is a table.

/// Extensions of the terminal that the environment names.
///
/// An unknown OSC 9 is not harmless: some terminals show it as a desktop notification, so progress goes only
/// to versions known to draw it. Multiplexers swallow both or pass them to the wrong pane, so they get neither.
struct KnownTerminal {
  let hyperlinks: Bool
  let progressReports: Bool
  let reflows: Bool

  /// Reads the variables (empty ones already removed) by which terminals identify themselves.
  init(_ variables: [String: String]) {
    let term = variables["TERM"] ?? ""
    let program = variables["TERM_PROGRAM"] ?? ""
    let isMultiplexed =
      ["TMUX", "STY", "ZELLIJ"].contains { variables[$0] != nil }
      || ["screen", "tmux"].contains { term.hasPrefix($0) }
    func number(_ name: String) -> Int { variables[name].flatMap { Int($0) } ?? 0 }
    func has(_ name: String) -> Bool { variables[name] != nil }

    let iTerm = program == "iTerm.app" ? Self.version(variables["TERM_PROGRAM_VERSION"]) : []
    let isConEmu = variables["ConEmuANSI"] == "ON"
    // WezTerm, Ghostty 1.2, Windows Terminal 1.6 and VS Code do both.
    let doesBoth =
      has("WT_SESSION") || ["WezTerm", "ghostty", "vscode"].contains(program) || term == "xterm-ghostty"

    hyperlinks =
      !isMultiplexed
      && (doesBoth || isConEmu || has("DOMTERM") || number("VTE_VERSION") >= 5000
        || number("KONSOLE_VERSION") >= 201_200
        || ["Hyper", "zed", "iTerm.app"].contains(program)
        || ["xterm-kitty", "alacritty", "foot"].contains(term))
    progressReports =
      !isMultiplexed
      && (doesBoth || isConEmu || number("VTE_VERSION") >= 8000 || number("KONSOLE_VERSION") >= 250_400
        || Self.isAtLeast(iTerm, [3, 6, 6]))
    reflows = !(has("XTERM_VERSION") || has("STY") || term == "linux")
  }

  private static func version(_ text: String?) -> [Int] {
    (text ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
  }

  private static func isAtLeast(_ version: [Int], _ minimum: [Int]) -> Bool {
    !version.lexicographicallyPrecedes(minimum)
  }
}
