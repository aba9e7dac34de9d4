// Translates PostgreSQL's errors for people. No other file of the store interprets PostgreSQL's error codes.

#if Postgres

internal import DrayCore
internal import Postgres

struct FleetFailure: Sendable {
  /// The address of the database, without secrets.
  let path: String

  func make(_ error: any Error) -> Failure {
    switch error {
    case let failure as Failure: return failure
    case let error as PostgresError:
      let (reason, advice, passes) = words(error)
      return Failure(.store, path, reason, advice: advice, recovery: passes ? .wait : .keep)
    default: return damaged("a row cannot be read: \(error)")
    }
  }

  /// The failure for content that cannot be decoded.
  func damaged(_ detail: String) -> Failure {
    Failure(
      .store, path, "the job store is damaged (\(detail)); it was left as it is",
      advice: "see the log of the database, or restore a backup", recovery: .keep)
  }

  func foreign(_ schema: String, _ table: String) -> Failure {
    Failure(
      .store, path, "schema \(schema) has a table \(table) that is not dray's; it was left as it is",
      advice: "choose another schema: add ?options=-csearch_path%3DNAME to the address", recovery: .keep)
  }

  /// The failure for a store that an older or a newer dray made.
  func other(version: Int) -> Failure {
    let isOlder = version < FleetSchema.version
    return Failure(
      .store, path,
      "the job store is of \(isOlder ? "an older" : "a newer") dray (version \(version), this one uses "
        + "\(FleetSchema.version)); it was left as it is",
      advice: isOlder ? "finish its jobs with that dray, or use another schema" : "use that dray, or another schema",
      recovery: .keep)
  }

  /// The failure for a store of an older dray that cannot be upgraded now.
  func notUpgraded(_ error: PostgresError) -> Failure {
    let isBusy = error.kind == .cancelled
    return Failure(
      .store, path,
      "the job store is of an older dray, and its tables cannot be changed: \(isBusy ? "they are in use" : error.message)",
      advice: isBusy
        ? "stop the programs of the older dray, then try again" : "run one command as the owner of the tables",
      recovery: .keep)
  }

  /// The failure for a server that cannot hold a store.
  func unfit(_ reason: String, _ advice: Advice) -> Failure {
    Failure(.store, path, reason, advice: advice, recovery: .keep)
  }

  /// The failure for a pooler that runs successive transactions in different sessions of the server.
  var pooled: Failure { unfit(FleetFailure.pooler.reason, FleetFailure.pooler.advice) }

  private static let pooler: (reason: String, advice: Advice) = (
    "a pooler gives each transaction another session; dray needs the same one",
    "let it pool sessions (pool_mode = session), or name the database itself"
  )
  /// The SQLSTATEs for a prepared statement that exists or is missing unexpectedly, because a pooler has switched the
  /// session.
  private static let ofPooler = ["42P05", "26000"]

  /// The failure of a call after the store was closed.
  var closed: Failure { Failure(.store, path, "the job store is closed", recovery: .keep) }

  /// The failure for a runner whose lease has ended.
  var leaseOver: Failure {
    Failure(
      .store, path, "the lease of this run is over: the database was not reached in time",
      advice: "\(.run) continues the jobs that no other runner has taken", recovery: .wait)
  }

  /// Whether repeating the call on a new connection may succeed.
  static func passes(_ error: PostgresError) -> Bool {
    switch error.kind {
    case .connectionLost, .tooManyConnections, .readOnly: true
    // An administrator ended the session, or a statement took too long.
    case .cancelled: true
    default: false
    }
  }

  /// Returns words for a refusal to which libpq gives no code, recognized by its text; `nil` for other texts.
  static func refusal(_ said: String) -> (reason: String, advice: Advice)? {
    if said.contains("no password supplied") {
      return ("the database wants a password, and none is given", "give it with PGPASSWORD or ~/.pgpass")
    }
    if said.contains("database \""), said.contains("\" does not exist") {
      return ("the database does not exist: \(said)", "`createdb` makes it, the next command its tables")
    }
    if said.contains("does not support SSL") {
      return ("the database speaks no TLS: \(said)", "turn on ssl on its server, or use another sslmode")
    }
    return nil
  }

  private func words(_ error: PostgresError) -> (reason: String, advice: Advice?, passes: Bool) {
    let said = error.message
    if error.state == nil || error.state == "3D000", let (reason, advice) = FleetFailure.refusal(said) {
      return (reason, advice, false)
    }
    if let state = error.state, FleetFailure.ofPooler.contains(state) {
      return (FleetFailure.pooler.reason, FleetFailure.pooler.advice, false)
    }
    switch error.kind {
    case .connectionLost:
      return (
        "the database cannot be reached: \(said)", "see whether it runs, and whether this machine reaches it", true
      )
    case .tooManyConnections:
      return ("the database has no connection left: \(said)", "raise max_connections, or end other programs", true)
    case .readOnly:
      return (
        "the database accepts no writes: \(said)", "name the primary, or add ?target_session_attrs=read-write", true
      )
    case .full: return ("the disk of the database is full: \(said)", "make room on its server", true)
    case .cancelled:
      return ("the database cancelled a statement: \(said)", "see statement_timeout, then try again", true)
    case .repeatable: return ("other programs change the same jobs: \(said)", "try again", true)
    case .notAuthorised:
      return (
        "the database refuses access: \(said)", "check the user, the password (PGPASSWORD, ~/.pgpass) and the rights",
        false
      )
    case .noLibrary: return (said, nil, false)
    case .undefined:
      return ("a table of the job store is missing: \(said)", "restore a backup, or use another schema", false)
    case .mismatch: return ("the job store cannot be used: \(said)", nil, false)
    case .unique, .other: return ("the job store failed: \(said)", nil, false)
    }
  }
}

#endif
