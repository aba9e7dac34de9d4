/// The event that a completed write survives.
enum Durability {
  /// A power cut of the machine that has the database.
  case durable
  /// The end of the database's server, which this process outlives. In SQLite, which has no server, this means
  /// ``lazy``.
  case server
  /// The end of this process. The write is atomic, in order, and visible to others at once. The next durable write of
  /// any program makes this one durable too.
  case lazy
}
