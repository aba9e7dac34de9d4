/// The fields of a JSON object that adds a job, such as a line of a list (`-i`).
package enum ListLine {
  /// The fields; `url` is required.
  package static let fields: [(name: String, shape: SettingShape)] =
    [("url", .string), ("headers", .object), ("max-connection-per-server", .integer)]
    + Setting.all.map { ($0.field, $0.shape) } + kept

  /// Fields that only `dray export` writes, and only `dray import` reads.
  private static let kept: [(name: String, shape: SettingShape)] = [
    ("id", .integer), ("waits-for", .integers), ("state", .string), ("uuid", .string), ("checkpoint", .object),
  ]

  /// The names of the fields.
  package static let names = fields.map(\.name)

  private static let shapes = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.shape) })

  /// Returns the form of a field's value; `nil` if no such field exists.
  package static func shape(of name: String) -> SettingShape? { shapes[name] }
}
