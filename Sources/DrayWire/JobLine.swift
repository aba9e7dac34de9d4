// JSON objects by which programs add jobs: a URL with its settings. A line of a list (`-i`) is one.

/// The fields of an object that adds a job.
public enum JobLine {
  /// The kind of a field's value.
  public enum Shape: Sendable, CaseIterable {
    /// A string.
    case string
    /// `true` or `false`.
    case boolean
    /// A whole number.
    case integer
    /// A whole number, or an array of them.
    case integers
    /// An array of strings.
    case strings
    /// An object whose values are strings.
    case object
  }

  /// The fields. `url` is required.
  public static let fields: [(name: String, shape: Shape)] =
    [
      ("url", .string), ("mirrors", .strings), ("out", .string), ("dir", .string), ("headers", .object),
      ("header", .strings), ("checksum", .string), ("size", .integer), ("expect-type", .string),
      ("allow-type", .string),
      ("priority", .integer), ("after", .integers), ("start-at", .string), ("max-connections", .integer),
      ("max-connection-per-server", .integer), ("user-agent", .string), ("referer", .string),
    ] + settings + kept

  /// The other options of a job.
  private static let settings: [(name: String, shape: Shape)] = [
    ("on-conflict", .string), ("resume", .string), ("verify", .string), ("verify-key", .string),
    ("limit-rate", .string), ("max-time", .string), ("max-filesize", .string), ("retries", .integer),
    ("retry-wait", .string), ("max-retry-wait", .string),
    ("no-mtime", .boolean), ("on-complete", .string), ("on-error", .string), ("cookie", .strings),
    ("cookie-jar", .string), ("no-cookies", .boolean), ("proxy", .string), ("cacert", .string), ("insecure", .boolean),
    ("ipv4", .boolean), ("ipv6", .boolean), ("resolve", .strings), ("interface", .string), ("own-service", .boolean),
    ("http1.1", .boolean),
    ("http2", .boolean), ("http3", .boolean), ("connect-timeout", .string), ("stall-timeout", .string),
    ("no-cache", .boolean), ("max-redirs", .integer), ("user", .string), ("netrc-file", .string),
    ("oauth2-bearer", .string), ("basic", .boolean), ("digest", .boolean), ("ntlm", .boolean),
    ("negotiate", .boolean), ("anyauth", .boolean), ("cert", .string), ("key", .string), ("pass", .string),
    ("pinnedpubkey", .string), ("capath", .string), ("proxy-user", .string), ("proxy-basic", .boolean),
    ("proxy-digest", .boolean), ("proxy-ntlm", .boolean), ("proxy-negotiate", .boolean), ("proxy-anyauth", .boolean),
    ("ssl", .boolean), ("ssl-reqd", .boolean), ("hostpubsha256", .string), ("endpoint-url", .string),
    ("aws-profile", .string), ("aws-region", .string), ("no-sign-request", .boolean), ("if-changed", .boolean),
    ("checksum-source", .string), ("pieces", .strings), ("part-stem", .string), ("cookies-taken", .strings),
    ("aws-session-token", .string),
  ]

  /// The additional fields of `dray export` and `dray import`.
  private static let kept: [(name: String, shape: Shape)] = [
    ("id", .integer), ("waits-for", .integers), ("state", .string), ("uuid", .string), ("checkpoint", .object),
  ]

  /// The names of the fields.
  public static let names = fields.map(\.name)
}
