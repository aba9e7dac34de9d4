// The option that says over how many connections a file comes; `get`, `add`, `feed` and `sync` share it.

internal import ArgumentParser
internal import DrayKit

struct ConnectionArguments: ParsableArguments, Sendable {
  /// More than these, and a server may take it amiss.
  static let polite = 16

  @Option(
    name: [.customShort("x"), .long],
    help: ArgumentHelp(
      "At most this many connections for one file (default: auto).",
      discussion: """
        auto allows \(JobOptions.defaultConnections). Connections are added as long as they increase the rate. Many servers \
        refuse more than \(polite).
        """,
      valueName: "number"))
  var maxConnections: String?

  /// The number.
  /// - Throws: kind `usage`.
  func count() throws(Failure) -> Int? {
    guard let text = maxConnections, text != "auto" else { return nil }
    // -x is curl's --proxy.
    guard !text.contains("://") else {
      throw OptionValue.bad(
        "--max-connections", "\(OptionValue.quote(URLRedaction.redacted(text))) is not a number",
        advice: "for a proxy write --proxy")
    }
    return try ConnectionArguments.count(text, "--max-connections")
  }

  /// The number in a text.
  static func count(_ text: String, _ option: String) throws(Failure) -> Int {
    try OptionValue.count(text, option, JobOptions.connectionRange)
  }

  /// What is said of so many; nothing where the configuration set them, whose writer knows.
  static func warning(_ count: Int?, configured: Set<String> = CommandContext.current.configured) -> String? {
    guard let count, count > polite, !configured.contains("max-connections") else { return nil }
    return
      "--max-connections \(count): many servers refuse more than a few connections at once, or block clients that open them"
  }
}
