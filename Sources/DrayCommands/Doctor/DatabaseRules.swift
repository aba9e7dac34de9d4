// Judges the database of a fleet for `dray doctor`. The code in this file has no effects outside its values.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

enum DatabaseRules {
  /// The number of connections that should be unused: a runner needs two, and a command needs one for a short time.
  private static let leastFree = 5
  /// The number of seconds by which two clocks may differ without a finding.
  private static let mostLead = 5.0

  /// Returns the findings: the problems, or a single one that says that there are none.
  static func findings(_ facts: DatabaseFacts) -> [Finding] {
    let found = [writing(facts), version(facts), connections(facts), clock(facts)].compactMap(\.self)
    guard found.isEmpty else { return found }
    let (used, limit) = facts.connections
    return [
      Finding("database", .good, "PostgreSQL \(facts.server) takes writes; \(used) of \(limit) connections are used")
    ]
  }

  private static func writing(_ facts: DatabaseFacts) -> Finding? {
    if facts.isStandby {
      return Finding(
        "database", .bad, "a standby: it takes no writes, and runners wait",
        advice: "promote it, name the primary, or add ?target_session_attrs=read-write to the address")
    }
    if facts.isReadOnly {
      return Finding(
        "database", .bad, "read-only: runners wait",
        advice: "see default_transaction_read_only of the server, the database and the user")
    }
    return facts.refusal.map { failure in
      Finding("database", .bad, failure.reason, advice: failure.advice?.text(.commandLine))
    }
  }

  private static func version(_ facts: DatabaseFacts) -> Finding? {
    guard let version = facts.version else {
      return Finding(
        "database", .limited, "no job store in it: `dray run` ends with 10", advice: "`dray add` makes one")
    }
    // A database with a newer version was refused earlier.
    guard version < facts.ownVersion else { return nil }
    return Finding(
      "database", .limited, "a job store of version \(version); this dray has \(facts.ownVersion)",
      advice: "`dray add` by the owner of its tables upgrades it, once every machine has this dray")
  }

  private static func connections(_ facts: DatabaseFacts) -> Finding? {
    let (used, limit) = facts.connections
    guard limit - used < max(leastFree, limit / 10) else { return nil }
    return Finding(
      "database", .limited, "\(used) of \(limit) connections are used, and a runner uses two",
      advice: "raise max_connections, or the limit of the database or the user")
  }

  static func clocksDiffer(_ facts: DatabaseFacts) -> Bool { abs(facts.clockLead) > mostLead }

  private static func clock(_ facts: DatabaseFacts) -> Finding? {
    guard clocksDiffer(facts) else { return nil }
    let time = TimeText.elapsed(abs(facts.clockLead))
    return Finding(
      "clock", .limited, "\(time) \(facts.clockLead > 0 ? "ahead of" : "behind") the database's, which dray follows",
      advice: "set this machine's clock: the times of files are by it")
  }
}
