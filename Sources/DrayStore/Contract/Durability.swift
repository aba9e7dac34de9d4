/// What a completed write must survive.
enum Durability {
  /// A power cut of the machine on which the database is.
  case durable
  /// A crash of the database's server, which this process survives. For SQLite, which has no server, the same as
  /// ``lazy``.
  case server
  /// The end of this process. The write is atomic, in order, and visible to others at once. The next durable write of
  /// any program makes this one durable too.
  case lazy
}
