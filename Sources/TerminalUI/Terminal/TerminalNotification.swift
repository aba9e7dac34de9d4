// The sequences for desktop notifications by the terminal: OSC 777 and OSC 9. The caller ensures that there is a
// terminal.

public enum TerminalNotification {
  /// Returns the sequence. Terminals that do not know it show nothing.
  ///
  /// The terminal determines which of the two sequences is used; an unknown terminal gets both.
  /// - Parameters:
  ///   - title: A few words. Characters that could end the sequence are removed (P8).
  ///   - body: A line.
  ///   - environment: The variables that identify the terminal.
  public static func sequence(title: String, body: String, environment: [String: String]) -> String {
    let (title, body) = (harmless(title).replacing(";", with: ","), harmless(body))
    let end = "\u{1B}\\"
    let urxvt = "\u{1B}]777;notify;\(title);\(body)\(end)"
    // ConEmu treats a number at the start as a command. The title comes first, so that no number does.
    let iTerm = "\u{1B}]9;\(title): \(body)\(end)"
    switch environment["TERM_PROGRAM"] ?? "" {
    case "iTerm.app": return iTerm
    case "WezTerm", "ghostty": return urxvt
    default:
      let term = environment["TERM"] ?? ""
      let knows777 =
        environment["VTE_VERSION"] != nil || ["rxvt", "foot", "xterm-kitty"].contains { term.hasPrefix($0) }
      return knows777 ? urxvt : urxvt + iTerm
    }
  }

  public static let bell = "\u{7}"

  /// Returns text without characters that a terminal would interpret.
  private static func harmless(_ text: String) -> String {
    String(
      text.unicodeScalars.lazy.filter { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
      }.map(Character.init))
  }
}
