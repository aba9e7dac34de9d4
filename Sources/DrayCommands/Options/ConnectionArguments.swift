// The option that says over how many connections a file comes; `get`, `add`, `feed` and `sync` share it.

internal import ArgumentParser
internal import DrayKit

struct ConnectionArguments: ParsableArguments, Sendable {
  @Option(setting: "max-connections") var maxConnections: String?

  /// Refuses what is the address of a proxy: -x is curl's --proxy.
  /// - Throws: kind `usage`.
  func refuseProxy() throws(Failure) {
    guard let text = maxConnections, text.contains("://") else { return }
    throw OptionValue.bad(
      "--max-connections", "\(OptionValue.quote(URLRedaction.redacted(text))) is not a number",
      advice: "for a proxy write --proxy")
  }

  /// What is said of so many; nothing where the configuration set them, whose writer knows.
  static func warning(_ count: Int?, configured: Set<String> = CommandContext.current.configured) -> String? {
    guard let count, count > JobOptions.politeConnections, !configured.contains("max-connections") else { return nil }
    return
      "--max-connections \(count): many servers refuse more than a few connections at once, or block clients that open them"
  }
}
