// What a completed write survives.

/// The event that a completed write survives.
enum Durability {
  /// A power cut of the machine that has the database.
  case durable
  /// The end of the database's server, after which this process goes on. SQLite has none: there it is as ``lazy``.
  case server
  /// The end of this process. The write is atomic, in order, and visible to others at once. The next durable write of
  /// any program makes it durable too.
  case lazy
}
