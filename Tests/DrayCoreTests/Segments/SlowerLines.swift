// The drawn lines on which several connections are slower than one by more than 5 %, and why no rule can know that in
// time. The list is complete: a line that joins it fails LineGrowthTests, which prints its row.

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
    // 33 ms, 669 Mbit/s, 0.04 % lost, BBR, the rate halves.
    92: (1.08, .changesLater),
    // 54 ms, 499 Mbit/s, 0.007 % lost, BBR, at most 16 connections, the rate halves.
    109: (1.15, .changesLater),
    // 46 ms, 156 Mbit/s, 0.6 % lost, BBR.
    128: (1.11, .losesByChance),
    // 177 ms, 34 Mbit/s, a queue of 123 KiB, nothing lost.
    134: (1.07, .overflows),
    // 272 ms, 28 Mbit/s, 0.7 % lost, BBR.
    155: (1.13, .losesByChance),
    // 25 ms, 241 Mbit/s, the rate halves, two other downloads.
    160: (1.16, .changesLater),
    // 249 ms, 8 Mbit/s, 0.08 % lost, BBR, the rate doubles.
    192: (1.07, .changesLater),
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
