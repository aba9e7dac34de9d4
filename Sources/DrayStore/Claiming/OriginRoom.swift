// How many more jobs each origin may have at once.

import DrayCore
import GRDB

import struct Foundation.UUID

/// A limit on jobs that are transferred at once from one origin.
public struct OriginLimit: Sendable, Equatable {
  /// How many, of all runners together.
  public var limit: Int
  /// How many the runner that asks has, by origin: it knows best which of its jobs still hold a slot.
  public var mine: [String: Int]
  /// How many more it may claim ahead of their turn, from origins of which no other runner has a job.
  public var ahead: Int

  /// Makes a limit.
  public init(_ limit: Int, mine: [String: Int] = [:], ahead: Int = 0) {
    self.limit = limit
    self.mine = mine
    self.ahead = ahead
  }
}

/// What is left of the limit, as of one moment.
struct OriginRoom {
  private let limit: Int
  private let ahead: Int
  private var taken: [String: Int]
  /// The origins of which other runners have jobs.
  private var shared: Set<String> = []

  /// No limit at all.
  static let unlimited = OriginRoom(limit: .max, ahead: 0, taken: [:])

  private init(limit: Int, ahead: Int, taken: [String: Int]) {
    (self.limit, self.ahead, self.taken) = (limit, ahead, taken)
  }

  /// Counts what other runners transfer; what they are publishing holds no slot there.
  init(_ db: Database, _ limit: OriginLimit?, runner: UUID) throws {
    guard let limit else {
      self = .unlimited
      return
    }
    self.init(limit: limit.limit, ahead: limit.ahead, taken: limit.mine)
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT origin, count(*) FROM jobs INDEXED BY jobs_runner
          WHERE runner IS NOT NULL AND runner <> ? AND publishing IS NULL GROUP BY origin
          """), arguments: [runner.uuidString])
    while let row = try rows.next() {
      taken[row[0], default: 0] += row[1] as Int
      shared.insert(row[0])
    }
  }

  /// The origins that have no room.
  var full: Set<String> { Set(taken.keys.lazy.filter { left($0) <= 0 }) }

  /// How many more `origin` may have.
  func left(_ origin: String) -> Int {
    // Where others have jobs, too, nobody claims ahead: each would keep the other from beginning.
    (ahead == 0 || shared.contains(origin) ? limit : limit + ahead) - taken[origin, default: 0]
  }

  /// Takes one place, if there is one.
  mutating func take(_ origin: String) -> Bool {
    guard left(origin) > 0 else { return false }
    taken[origin, default: 0] += 1
    return true
  }
}
