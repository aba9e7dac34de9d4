// A row of `jobs` as it is added: what else a job has begins with the defaults of the schema.

import DrayCore
import GRDB

import struct Foundation.UUID

/// The columns of a row that is added, each with its value: statement and arguments are both made of this.
struct NewRow {
  private let columns: KeyValuePairs<String, (any DatabaseValueConvertible)?>

  /// - Parameters:
  ///   - fileName: the name of the target, where its user gave one.
  ///   - request: the text of its column; so is `options`. Jobs that are added together share them.
  init(
    _ specification: JobSpecification, uuid: String, fileName: String?, group: GroupID?, now: Double, request: String,
    options: String
  ) {
    let url = specification.request.url
    columns = [
      "uuid": uuid,
      "state": JobState.queued.rawValue,
      "priority": specification.priority,
      "url": url.string,
      "origin": url.origin.description,
      "directory": specification.directory,
      "output": specification.output,
      "file_name": fileName,
      "added_at": now,
      "request": request,
      "options": options,
      "start_at": specification.startAt,
      "waiting_since": specification.startAt == nil ? nil : now,
      "body": specification.request.body?.name,
      "foreign_depth": specification.foreignDepth,
      "group_id": group,
    ]
  }

  /// Adds a row; it is the same text for each.
  var insert: String {
    """
    INSERT INTO jobs (\(columns.map { $0.key }.joined(separator: ", ")))
    VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
    """
  }

  /// The arguments of ``insert``.
  var arguments: StatementArguments { StatementArguments(columns.lazy.map { $0.value }) }
}
