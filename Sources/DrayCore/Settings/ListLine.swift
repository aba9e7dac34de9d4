// What programs hand in: a URL with what is said of it, as an object. A line of a list (`-i`) is one.

/// The fields of an object that asks for a job.
public enum ListLine {
  /// The fields, by name; `url` must be there.
  public static let fields: [(name: String, shape: SettingShape)] =
    [("url", .string), ("headers", .object), ("max-connection-per-server", .integer)]
    + Setting.all.map { ($0.field, $0.shape) } + kept

  /// What `dray export` says of a job besides, and `dray import` takes.
  private static let kept: [(name: String, shape: SettingShape)] = [
    ("id", .integer), ("waits-for", .integers), ("state", .string), ("uuid", .string), ("checkpoint", .object),
  ]

  /// Their names.
  public static let names = fields.map(\.name)

  private static let shapes = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.shape) })

  /// The form of a field's value; `nil` for what is not a field.
  public static func shape(of name: String) -> SettingShape? { shapes[name] }
}
