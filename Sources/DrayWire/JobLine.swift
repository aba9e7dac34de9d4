// What programs hand in: a URL with what is said of it, as an object. A line of a list (`-i`) is one.

/// The fields of an object that asks for a job.
public enum JobLine {
  /// What the value of a field may be.
  public enum Shape: Sendable, CaseIterable {
    /// A string.
    case string
    /// A whole number.
    case integer
    /// A whole number, or an array of them.
    case integers
    /// An array of strings.
    case strings
    /// An object whose values are strings.
    case object
  }

  /// The fields; `url` must be there.
  public static let fields: [(name: String, shape: Shape)] = [
    ("url", .string), ("mirrors", .strings), ("out", .string), ("dir", .string), ("headers", .object),
    ("checksum", .string), ("size", .integer), ("expect-type", .string), ("allow-type", .string),
    ("priority", .integer), ("after", .integers),
    ("start-at", .string), ("max-connections", .integer), ("max-connection-per-server", .integer),
    ("user-agent", .string), ("referer", .string),
  ]

  /// Their names.
  public static let names = fields.map(\.name)
}
