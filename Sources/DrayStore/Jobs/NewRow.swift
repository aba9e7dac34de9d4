// A new row of `jobs`. Columns that are not set here get the schema's defaults.

internal import DrayCore
internal import SQLite

/// The values of a new row. Values are bound by position for speed, because a long list has a million rows.
struct NewRow {
  private static let columns = [
    "uuid", "state", "priority", "url", "origin", "directory", "output", "file_name", "added_at", "request", "options",
    "start_at", "transfer_window", "waiting_since", "body", "foreign_depth", "group_id", "queue",
  ]

  static let columnCount = columns.count
  static let many = 64

  static let insert = statement(rows: 1)
  static let insertMany = statement(rows: many)

  private static func statement(rows: Int) -> String {
    let row = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
    return """
      INSERT INTO jobs (\(columns.joined(separator: ", ")))
      VALUES \(repeatElement(row, count: rows).joined(separator: ", "))
      """
  }

  let values: [DatabaseValue]

  /// - Parameters:
  ///   - fileName: The name of the target, if the user gave one.
  ///   - origin: The text of the URL's origin.
  ///   - request: The text for the column `request`. Jobs that are added together share this text and the text of
  ///     `options`.
  init(
    _ specification: JobSpecification, uuid: String, state: JobState, fileName: String?, group: GroupID?, now: Double,
    origin: String, request: String, options: String
  ) {
    let url = specification.request.url
    values = [
      .text(uuid), .text(state.rawValue), .integer(Int64(specification.priority)), .text(url.string),
      .text(origin), .text(specification.directory), specification.output.databaseValue,
      fileName.databaseValue, .real(now), .text(request), .text(options), specification.startAt.databaseValue,
      (specification.window?.description).databaseValue,
      specification.startAt == nil ? .null : .real(now), (specification.request.body?.name).databaseValue,
      .integer(Int64(specification.foreignDepth)), group.databaseValue, specification.queue.databaseValue,
    ]
  }
}
