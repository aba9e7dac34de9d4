// Reads Firefox's cookies with all their attributes; cookies of Firefox's containers are left out.

internal import DrayCore
internal import SQLite

enum FirefoxCookies {
  /// From this number on, times are in milliseconds; Firefox writes milliseconds since version 142.
  private static let millisecondsFrom: Int64 = 100_000_000_000

  /// Reads a copy of the database and its log, because Firefox locks the original while it runs. The call blocks the
  /// calling thread.
  /// - Parameter now: Seconds since 1970; cookies that have expired are left out.
  /// - Throws: Kind `file`.
  static func read(copy path: String, now: Int64) throws(Failure) -> [Cookie] {
    do {
      var configuration = DatabaseConfiguration()
      configuration.label = "dray.firefox"
      // Do not open read-only: to read the log, SQLite must write beside the database.
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.access { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT host, path, isSecure, isHttpOnly, expiry, name, value FROM moz_cookies
            WHERE originAttributes = '' ORDER BY lastAccessed
            """
        ).compactMap { try cookie($0, now: now) }
      }
    } catch {
      throw Failure(
        .file, path, "the cookies of Firefox cannot be read: \(TextSafety.escaped("\(error)"))",
        advice: "export them with an extension, and use the file with \(.cookieFile)")
    }
  }

  private static func cookie(_ row: Row, now: Int64) throws -> Cookie? {
    guard let host: String = try row["host"], let name: String = try row["name"], let value: String = try row["value"]
    else {
      return nil
    }
    let expiry: Int64 = try row["expiry"] ?? 0
    let cookie = Cookie(
      domain: host, includesSubdomains: host.hasPrefix("."), path: try row["path"] ?? "/",
      isSecure: try row["isSecure"] ?? false, isHTTPOnly: try row["isHttpOnly"] ?? false,
      expires: expiry >= millisecondsFrom ? expiry / 1000 : expiry, name: name, value: value)
    return cookie.isWellFormed && !cookie.isExpired(at: now) ? cookie : nil
  }
}
