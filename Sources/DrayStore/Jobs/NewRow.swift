// A row of `jobs` as it is added: what else a job has begins with the defaults of the schema.

import DrayCore
import GRDB

import struct Foundation.UUID

/// A job that is added, and the columns that it is written to.
struct NewRow {
  let specification: JobSpecification
  let uuid: UUID
  /// The name of its target, where its user gave one.
  let fileName: String?
  let group: GroupID?
  let now: Double
  /// The texts of two columns; jobs that are added together share them.
  let request, options: String

  /// Each column with its value. Statement and arguments are both made of this.
  private static let columns: [(name: String, value: @Sendable (NewRow) -> (any DatabaseValueConvertible)?)] = [
    ("uuid", { $0.uuid.uuidString }),
    ("state", { _ in JobState.queued.rawValue }),
    ("priority", { $0.specification.priority }),
    ("url", { $0.specification.request.url.string }),
    ("origin", { $0.specification.request.url.origin.description }),
    ("directory", { $0.specification.directory }),
    ("output", { $0.specification.output }),
    ("file_name", { $0.fileName }),
    ("added_at", { $0.now }),
    ("request", { $0.request }),
    ("options", { $0.options }),
    ("start_at", { $0.specification.startAt }),
    ("waiting_since", { $0.specification.startAt == nil ? nil : $0.now }),
    ("body", { $0.specification.request.body?.name }),
    ("foreign_depth", { $0.specification.foreignDepth }),
    ("group_id", { $0.group }),
  ]

  /// Adds a row; to be prepared once for many.
  static let insert = """
    INSERT INTO jobs (\(columns.map(\.name).joined(separator: ", ")))
    VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
    """

  /// The arguments of ``insert``.
  var arguments: StatementArguments { StatementArguments(NewRow.columns.map { $0.value(self) }) }
}
