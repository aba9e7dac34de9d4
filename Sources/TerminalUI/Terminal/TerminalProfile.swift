// The terminal's capabilities, detected once from the environment.

/// The capabilities of the stream for bars and messages.
public struct TerminalProfile: Sendable, Hashable {
  /// Whether bars may be painted and repainted. If not, no control code is written.
  public var isInteractive: Bool
  /// Whether SGR styles (colours, bold, dim) may be used.
  public var color: Bool
  /// Whether block characters and `…` may be used; otherwise ASCII.
  public var unicode: Bool
  /// Whether the terminal is known to support OSC 8 hyperlinks.
  public var hyperlinks: Bool
  /// Whether the terminal is known to support OSC 9;4 progress reports.
  public var progressReports: Bool
  /// Whether the terminal rewraps wide lines when the window narrows, as nearly all do.
  public var reflows: Bool

  /// Creates a profile; by default for plain ASCII lines.
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

  /// Detects the capabilities of a stream from the environment.
  ///
  /// A stream that is not a terminal gets plain lines without control codes, as does one with `CI` set, or with `TERM`
  /// unset or `dumb`. A non-empty `NO_COLOR` removes all styles (no-color.org).
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

  /// Whether the character set is UTF-8, by POSIX precedence: `LC_ALL`, then `LC_CTYPE`, then `LANG`.
  private static func isUTF8(_ variables: [String: String]) -> Bool {
    let locale = variables["LC_ALL"] ?? variables["LC_CTYPE"] ?? variables["LANG"] ?? ""
    let folded = locale.lowercased()
    return folded.contains("utf-8") || folded.contains("utf8")
  }
}
