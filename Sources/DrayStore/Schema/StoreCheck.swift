// Decides whether a database is a store that this program knows. Pure.

/// The check of a database before its first use.
enum StoreCheck {
  /// A question to a database. Answers are read at different moments.
  enum Question: Sendable {
    /// The number of pages; 0 before the first write.
    case pages
    /// The application's number, which the first write sets.
    case application
    /// Whether the table of jobs exists: 1 or 0.
    case tables
    /// The version, which the transaction that creates the tables sets.
    case version
  }

  /// Throws unless the database is empty, or a store that this program knows.
  ///
  /// The order of the questions is that in which a store comes into being. In another order, a store that another process
  /// creates between two answers would look damaged.
  /// - Returns: The number of pages.
  static func pages(_ path: String, _ answer: (Question) throws -> Int) throws -> Int {
    let pages = try answer(.pages)
    guard pages > 0 else { return 0 }
    guard try answer(.application) == Int(Schema.applicationID) else {
      throw StoreFailure.foreign(path, "a database of another program")
    }
    let hasTables = try answer(.tables) != 0
    let version = try answer(.version)
    if version == 0, hasTables { throw StoreFailure.corrupt(path, "its version is 0") }
    if version != 0, version != Schema.version { throw StoreFailure.other(path, version: version) }
    return pages
  }
}
