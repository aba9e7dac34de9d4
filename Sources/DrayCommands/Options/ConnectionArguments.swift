// The option for the number of connections per file, which `get`, `add`, `feed` and `sync` share.

internal import ArgumentParser
internal import DrayKit

struct ConnectionArguments: ParsableArguments, Sendable {
  @Option(setting: "max-connections") var maxConnections: String?

  /// Refuses the address of a proxy, because the user probably meant the -x of curl, which is --proxy.
  /// - Throws: Kind `usage`.
  func refuseProxy() throws(Failure) {
    guard let text = maxConnections, text.contains("://") else { return }
    throw OptionValue.bad(
      "--max-connections", "\(OptionValue.quote(URLRedaction.redacted(text))) is not a number",
      advice: "for a proxy write --proxy")
  }

  /// Returns a warning about a large number of connections, unless the configuration set that number.
  static func warning(_ count: Int?, configured: Set<String> = CommandContext.current.configured) -> String? {
    guard let count, count > JobOptions.politeConnections, !configured.contains("max-connections") else { return nil }
    return
      "--max-connections \(count): many servers refuse more than a few connections at once, or block clients that open them"
  }
}
