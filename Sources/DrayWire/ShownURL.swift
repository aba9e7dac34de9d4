// URLs as people see them.

internal import DrayCore

/// URLs without their secrets.
public enum ShownURL {
  /// The URL without its secrets; most have none, which is quickly seen.
  public static func text(_ url: String) -> String { text(url, reveals: false) }

  /// The URL; with its secrets only where its user asked to see them.
  public static func text(_ url: String, reveals: Bool) -> String {
    if reveals { return url }
    let mayHaveSecrets = url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
    return mayHaveSecrets ? URLRedaction.redacted(url) : url
  }
}
