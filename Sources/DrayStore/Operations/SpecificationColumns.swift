// The columns of a job's specification.

import DrayCore

extension SQL {
  /// Assigns a request, without its URL.
  static func assigning(_ request: TransferRequest, _ column: inout RequestColumn) throws -> SQL {
    """
    request = \(try column.encode(request)), body = \(request.body?.name)\(postgres: ", is_safe = \(request.isSafe)")
    """
  }

  /// Assigns the JSON of options.
  static func assigning(options: String) -> SQL { "options = \(options)\(postgres: "::jsonb")" }

  /// Assigns, in `hot`, a job's priority, queue and window. Another priority ends the position of a moved job.
  static func placing(_ specification: JobSpecification) -> SQL {
    """
    rank = CASE WHEN priority = \(specification.priority) THEN rank END, priority = \(specification.priority),
      queue = \(specification.queue), transfer_window = \(specification.window?.description)
    """
  }
}
