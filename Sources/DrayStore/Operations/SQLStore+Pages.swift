// The numbers of the next jobs in some states.

import DrayCore

extension SQLStore {
  /// Selects the first numbers of jobs in these states: a walk along the index of each state. A walk along all numbers
  /// would also read the jobs in other states. The states are part of the text, because PostgreSQL estimates the number
  /// of jobs only for constants.
  static func page(of states: Set<JobState>, where condition: SQL, order: String = "", limit: Int) -> SQL {
    guard !states.isEmpty else { return "SELECT id FROM jobs WHERE false" }
    let walks = states.texts.map { state -> SQL in
      """
      SELECT id FROM (
        SELECT hot.id FROM \(.hot) WHERE hot.state = '\(raw: state)' AND \(condition)
        ORDER BY hot.id \(raw: order) LIMIT \(limit)) AS \(raw: state)
      """
    }
    return
      "SELECT page.id FROM (\(walks.joined(by: " UNION ALL "))) AS page ORDER BY page.id \(raw: order) LIMIT \(limit)"
  }
}
