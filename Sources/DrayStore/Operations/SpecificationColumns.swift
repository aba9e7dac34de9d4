// The columns of a job's specification.

internal import DrayCore

extension SQL {
  /// Assigns a request without its URL, which has a separate column.
  static func assigning(_ request: TransferRequest, _ column: inout RequestColumn) throws -> SQL {
    """
    request = \(try column.encode(request)), body = \(request.body?.name)\(postgres: ", is_safe = \(request.isSafe)")
    """
  }

  static func assigning(options: String) -> SQL { "options = \(options)\(postgres: "::jsonb")" }

  /// Assigns a job's priority, queue and window in `hot`. If the priority changes, a moved job loses its position.
  static func placing(_ specification: JobSpecification) -> SQL {
    """
    rank = CASE WHEN priority = \(specification.priority) THEN rank END, priority = \(specification.priority),
      queue = \(specification.queue), transfer_window = \(specification.window?.description)
    """
  }
}
