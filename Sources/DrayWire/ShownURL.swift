// URLs for display.

internal import DrayCore

package enum ShownURL {
  /// Returns the URL without its secrets. The check is fast, because most URLs have none.
  package static func text(_ url: String) -> String { text(url, reveals: false) }

  /// Returns the URL, with its secrets only if the user asked for them.
  package static func text(_ url: String, reveals: Bool) -> String {
    if reveals { return url }
    let mayHaveSecrets = url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
    return mayHaveSecrets ? URLRedaction.redacted(url) : url
  }
}
