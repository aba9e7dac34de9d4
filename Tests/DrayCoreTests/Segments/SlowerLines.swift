// The drawn lines on which several connections are slower than one by more than 5 %, and why no rule can know that in
// time. The list is complete: a new line fails LineGrowthTests, which prints its row.

/// The drawn lines on which growth costs time.
enum SlowerLines {
  /// Why a rule cannot know in time that one connection is faster.
  enum Reason {
    /// The rate of the line changes after the connections were judged: those that helped before no longer help.
    case changesLater
    /// Other downloads share the line. Their share falls to new connections at first, and they take it back.
    case isShared
    /// The server refuses connections, and the file ends before those tries are made up for.
    case isRefused
    /// Losses hit one connection by chance. More look better at first, and lose as much.
    case losesByChance
    /// The file ends while connections are still in slow start, so that nothing can be judged.
    case endsTooSoon
    /// Several connections fill the queue, whose losses one alone does not cause.
    case overflows
  }

  /// The lines by their numbers: the most that they may take of the time of one connection, and the reason.
  static let known: [Int: (most: Double, reason: Reason)] = [
    // 20 ms, 311 Mbit/s, a queue of 614 KiB, at most 16 connections.
    15: (1.07, .overflows),
    // 65 ms, 236 Mbit/s, the rate doubles, another download.
    29: (1.14, .changesLater),
    // 260 ms, 15 Mbit/s, a queue of 120 KiB, BBR.
    52: (1.06, .overflows),
    // 28 ms, 86 Mbit/s, 0.2 % lost, BBR, at most 4 connections, the rate halves.
    59: (1.08, .changesLater),
    // 119 ms, 11 Mbit/s, 0.5 % lost, BBR.
    64: (1.07, .losesByChance),
  ]

  /// Returns the reason that the properties of a line suggest, for a new row.
  static func suggestion(_ line: LineModel) -> Reason {
    if line.change != 1 { return .changesLater }
    if line.others > 0 { return .isShared }
    if line.connections < 16 { return .isRefused }
    if line.loss > 0 { return .losesByChance }
    return line.queue < line.rate * line.roundTrip ? .overflows : .endsTooSoon
  }
}
