// Makes a terminal notify its desktop: OSC 777 and OSC 9. Pure text; the caller ensures that there is a
// terminal.

/// A notification as terminals understand it.
public enum TerminalNotification {
  /// The sequence; terminals that do not know it show nothing.
  ///
  /// Which of the two is used depends on the terminal; an unknown one gets both.
  /// - Parameters:
  ///   - title: a few words; nothing in it can end the sequence (P8).
  ///   - body: a line.
  ///   - environment: identifies the terminal.
  public static func sequence(title: String, body: String, environment: [String: String]) -> String {
    let (title, body) = (harmless(title).replacing(";", with: ","), harmless(body))
    let end = "\u{1B}\\"
    let urxvt = "\u{1B}]777;notify;\(title);\(body)\(end)"
    // ConEmu treats a number at the beginning as a command: there is none, because the title comes first.
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

  /// The terminal's bell.
  public static let bell = "\u{7}"

  /// Text without anything that a terminal would act upon.
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
