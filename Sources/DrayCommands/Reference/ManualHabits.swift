// The parts of the manual about what users of curl, wget and aria2 type; that about options is made of their table.

internal import DrayKit

enum ManualHabits {
  static let patterns = """
    An argument of `get` and `add` may stand for several URLs, as in curl; quote it, or the shell reads it.

    = `{a,b,c}`
    Each of the words. One may be empty.

    = `[1-30]`, `[01-30]`, `[0-100:10]`
    Each of the numbers: with a leading zero all have as many digits, and a number after the colon is the step.

    = `[a-z]`, `[a-z:2]`
    Each of the letters, small or large.

    Several patterns in one argument are combined; together they may stand for \(URLGlob.most) URLs. `#1` in `--output` is what \
    stands in the place of the first pattern, `#2` in that of the second; without it, several files cannot have one name. A backslash \
    before a bracket, a brace or a comma makes it an ordinary character, `--globoff` all of them. An IPv6 address, as in \
    `http://[::1]:8080/`, is not a pattern. Lists and documents have no patterns.

      dray get -o 'part-#1.mp4' 'https://example.org/video[01-30].mp4'
    """

  static let curl = """
    `dray curl` and the rest of a line of curl, such as a browser copies it ("Copy as cURL"), fetches what the line asks for as \
    `dray get` would. The options have curl's meaning, not that of `dray get`: `-x` is a proxy, `-d` is data, `-c` a jar. \
    The differences: without `-o` the file is named by the server or the URL, and not written to standard output; redirects are \
    followed, and an error status is a failure; a request that sends data is not repeated.

    Options that dray has no use for (`-w`, `-D`, `--ciphers`, …) are left out, and named in one line. So are header fields about the \
    browser's own connection, its cache and the part that it wanted (`Accept-Encoding`, `Range`, `If-None-Match`, `Connection`, \
    `TE`, `:authority`, …): with them the file could be neither resumed nor checked. Options that would make another request of it \
    when left out (`--next`, `--connect-to`, `--aws-sigv4`, `-r 0-99`, …) are refused. Secrets in the line are visible in `ps`, as with \
    `dray get`, and in the history of the shell.
    """

  static let aria2 = """
    `dray import aria2 FILE` reads a configuration or a session of aria2.

    A configuration is printed as one of dray: `split` and `max-connection-per-server` become `max-connections`, the smaller of \
    the two; `max-tries` becomes `retries`, one less; `timeout` becomes `stall-timeout`; and so on. `--write` writes it to the \
    configuration file, if there is none. What has no meaning here, and what dray would refuse, is named on standard error.

    A session, or a list for `aria2c -i`, becomes jobs as with `dray add -i`; torrents and magnet links are left out. The bytes that \
    aria2 has received are not taken over: its control files (`.aria2`) are its own.
    """

  static let text: String = {
    var text = """
      Short options take joined values (`-x16`, `-ofile`), flags can be combined (`-qv`), and a long option can be shortened as \
      long as it is unambiguous (`--max-conc 3`). A URL without a scheme gets https; `localhost` and addresses get http.

      Commands that make requests (`get`, `add`, `info`, …) also read options of curl, wget and aria2. Their own options come \
      first.

      """
    for habit in Habit.all {
      text += "\n= " + habit.names.map { "`\($0)`" }.joined(separator: ", ") + "\n" + note(habit) + "\n"
    }
    return text
  }()

  /// What it comes to, as a sentence.
  static func note(_ habit: Habit) -> String {
    switch habit.meaning {
    case .usual, .decided: habit.note.hasPrefix("--") ? "The same as `\(habit.note)`." : habit.note.sentence
    case .words: "The same as `\(habit.note)`."
    case .refused(let advice): "Refused: \(advice)."
    }
  }
}
