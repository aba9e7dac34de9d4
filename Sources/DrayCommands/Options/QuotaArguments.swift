// The option that limits the bytes of a whole run, which `get`, `run` and `sync` share. A service does not have it,
// because it does not end.

internal import ArgumentParser
internal import DrayKit

struct QuotaArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Stop after transferring this much, such as 20G; off for no limit.",
      discussion: """
        To the byte, over all files of this run, sent and received, without header fields. What came is kept, and the next \
        run, with a limit of its own, continues. The exit status is then 1.
        """,
      valueName: "size"))
  var maxTransfer: String?

  /// Returns the limit in bytes; `nil` if there is none.
  /// - Throws: Kind `usage`.
  func limit() throws(Failure) -> Int64? {
    guard let text = maxTransfer, text != "off" else { return nil }
    return try OptionValue.size(text, "--max-transfer")
  }
}
