// Decides, without effects, whether a database is a store that this program knows.

enum StoreCheck {
  /// A question about a database. The answers come from different moments.
  enum Question: Sendable {
    /// The number of pages; 0 before the first write.
    case pages
    /// The application ID, which is written first when a store is created.
    case application
    /// Whether the table of jobs exists: 1 or 0.
    case tables
    /// The version, which is set by the transaction that creates the tables.
    case version
  }

  /// Throws unless the database is empty or a store that this program knows.
  ///
  /// The checks follow the order in which a store is created. In another order, a store that another process is
  /// creating at the same time could look damaged.
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
