// A new row of `jobs`. Columns without a value here get the schema's defaults.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

/// The columns of a new row with their values. Both the statement and its arguments are built from them.
struct NewRow {
  private struct Column {
    let name: String
    let value: (any DatabaseValueConvertible)?

    init(_ name: String, _ value: (any DatabaseValueConvertible)?) { (self.name, self.value) = (name, value) }
  }

  private let columns: [Column]

  /// - Parameters:
  ///   - fileName: the name of the target, if its user gave one.
  ///   - request: the text of its column, like `options`. Jobs added together share them.
  init(
    _ specification: JobSpecification, uuid: String, state: JobState, fileName: String?, group: GroupID?, now: Double,
    request: String, options: String
  ) {
    let url = specification.request.url
    columns = [
      Column("uuid", uuid),
      Column("state", state.rawValue),
      Column("priority", specification.priority),
      Column("url", url.string),
      Column("origin", url.origin.description),
      Column("directory", specification.directory),
      Column("output", specification.output),
      Column("file_name", fileName),
      Column("added_at", now),
      Column("request", request),
      Column("options", options),
      Column("start_at", specification.startAt),
      Column("transfer_window", specification.window?.description),
      Column("waiting_since", specification.startAt == nil ? nil : now),
      Column("body", specification.request.body?.name),
      Column("foreign_depth", specification.foreignDepth),
      Column("group_id", group),
      Column("queue", specification.queue),
    ]
  }

  /// The statement that adds a row; its text is the same for all rows.
  var insert: String {
    """
    INSERT INTO jobs (\(columns.map(\.name).joined(separator: ", ")))
    VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
    """
  }

  /// The arguments of ``insert``.
  var arguments: StatementArguments { StatementArguments(columns.map { $0.value }) }
}
