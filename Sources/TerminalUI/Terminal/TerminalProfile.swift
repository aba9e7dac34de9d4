// What the terminal can do, decided once from the environment.

/// Capabilities of the stream that bars and messages go to. Pure values: tests make any.
public struct TerminalProfile: Sendable, Hashable {
  /// Bars may be painted and repainted. Without it no control code is written.
  public var isInteractive: Bool
  /// SGR styles (colours, bold, dim) may be used.
  public var color: Bool
  /// Block characters and `…` may be used; otherwise ASCII.
  public var unicode: Bool
  /// OSC 8 hyperlinks are known to be understood.
  public var hyperlinks: Bool
  /// OSC 9;4 progress reports are known to be understood.
  public var progressReports: Bool
  /// Lines wider than the window are rewrapped when it narrows, as in nearly all terminals.
  public var reflows: Bool

  /// A profile with the given capabilities; plain ASCII lines by default.
  public init(
    isInteractive: Bool = false, color: Bool = false, unicode: Bool = false, hyperlinks: Bool = false,
    progressReports: Bool = false, reflows: Bool = true
  ) {
    self.isInteractive = isInteractive
    self.color = color
    self.unicode = unicode
    self.hyperlinks = hyperlinks
    self.progressReports = progressReports
    self.reflows = reflows
  }

  /// Decides from the environment what a stream can do.
  ///
  /// Not a terminal, `CI` set, or `TERM` unset or `dumb`: plain lines without control codes. `NO_COLOR`
  /// (not empty) removes every style (no-color.org).
  public static func detect(isTTY: Bool, environment: [String: String]) -> TerminalProfile {
    let variables = environment.filter { !$0.value.isEmpty }
    let unicode = isUTF8(variables)
    guard isTTY, variables["CI"] == nil, let term = variables["TERM"], term != "dumb" else {
      return TerminalProfile(unicode: unicode)
    }
    let known = KnownTerminal(variables)
    return TerminalProfile(
      isInteractive: true,
      color: variables["NO_COLOR"] == nil,
      unicode: unicode,
      hyperlinks: known.hyperlinks,
      progressReports: known.progressReports,
      reflows: known.reflows
    )
  }

  /// The mark of a cut text: one cell with Unicode, three without.
  public var ellipsis: String { unicode ? "…" : "..." }

  /// The character set by the order of POSIX: `LC_ALL`, else `LC_CTYPE`, else `LANG`.
  private static func isUTF8(_ variables: [String: String]) -> Bool {
    let locale = variables["LC_ALL"] ?? variables["LC_CTYPE"] ?? variables["LANG"] ?? ""
    let folded = locale.lowercased()
    return folded.contains("utf-8") || folded.contains("utf8")
  }
}
