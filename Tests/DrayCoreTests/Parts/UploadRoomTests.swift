// Which file gets memory for its next part, and when the limit may be exceeded.

import DrayCore
import Testing

@Suite struct UploadRoomTests {
  /// The parts in memory by length, the number of those that leave, the length of the next part, and whether it fits
  /// into a limit of 48.
  @Test(
    arguments: [
      ([], 0, 8, true), ([8, 8, 8, 8, 8], 0, 8, true), ([8, 8, 8, 8, 8], 3, 8, true),
      // Something leaves: wait for it.
      ([8, 8, 8, 8, 8, 8], 1, 8, false), ([44], 1, 8, false),
      // Nothing leaves: one part more, and no second one.
      ([8, 8, 8, 8, 8, 8], 0, 8, true), ([8, 8, 8, 8, 8, 8, 8], 0, 8, false), ([44], 0, 8, true),
      ([8, 8, 8, 8, 8, 8, 1], 0, 8, false),
      // Large parts: two, even if nothing leaves.
      ([], 0, 100, true), ([100], 0, 100, true), ([100], 1, 100, true), ([100, 100], 1, 100, false),
      ([100, 100], 0, 100, false), ([30], 1, 30, true), ([30, 30], 1, 30, false), ([30, 30], 0, 30, false),
      // Files with large and with small parts.
      ([100], 1, 8, false), ([100], 0, 8, true), ([100, 8], 0, 8, false), ([8, 8, 8, 8, 8, 8], 2, 100, true),
      ([8], 1, 100, true), ([100, 8], 0, 100, false),
    ] as [([Int], Int, Int, Bool)])
  func theLimit(_ parts: [Int], _ leaving: Int, _ size: Int, _ fits: Bool) {
    var room = UploadRoom()
    for part in parts { room.add(part) }
    room.countLeaving(leaving)
    let isTaken = room.take(size, for: 1, limit: 48, now: 0)
    #expect(isTaken == fits)
    #expect(room.used == parts.reduce(0, +) + (fits ? size : 0))
  }

  @Test func filesTakeTurns() {
    var room = UploadRoom()
    for _ in 0..<6 { room.add(8) }
    room.countLeaving(1)
    var now = 0.0
    func take(_ file: Int) -> Bool {
      now += 0.01
      return room.take(8, for: file, limit: 48, now: now)
    }
    #expect(!take(1) && !take(2) && !take(1))
    room.giveBack(8)
    // The second one asks first, but the first one has waited longer.
    #expect(!take(2))
    #expect(take(1))
    #expect(!take(2) && !take(1))
    room.giveBack(8)
    #expect(!take(1))
    #expect(take(2))
  }

  @Test func aFileThatNoLongerAsksIsPassedOver() {
    var room = UploadRoom()
    room.add(48)
    room.countLeaving(1)
    func take(_ file: Int, at now: Double) -> Bool { room.take(8, for: file, limit: 48, now: now) }
    #expect(!take(1, at: 0) && !take(2, at: 0))
    room.giveBack(48)
    #expect(!take(2, at: 1))
    #expect(take(2, at: UploadRoom.patience))
    // A file that has ended is forgotten at once.
    room.add(40)
    #expect(!take(3, at: 10) && !take(4, at: 10))
    room.giveBack(40)
    room.leave(3)
    #expect(take(4, at: 10))
  }

  /// Slow files, of which every connection wants a part: the limit and one part more are never exceeded, and every file
  /// is completed.
  @Test(arguments: [(8, 48), (8, 16), (30, 48), (100, 48)])
  func manySlowFiles(_ size: Int, _ limit: Int) {
    var room = UploadRoom()
    var (held, rest) = ([Int: Int](), Dictionary(uniqueKeysWithValues: (1...30).map { ($0, 3) }))
    var (now, most, rounds) = (0.0, 0, 0)
    while rest.values.contains(where: { $0 > 0 }), rounds < 10_000 {
      (rounds, now) = (rounds + 1, now + 0.01)
      for file in 1...30 where rest[file, default: 0] > 0 && held[file] == nil {
        if room.take(size, for: file, limit: limit, now: now) { held[file] = rounds }
      }
      most = max(most, room.used)
      // A part is filled in a hundred rounds.
      for (file, since) in held where rounds - since >= 100 {
        room.giveBack(size)
        held[file] = nil
        rest[file, default: 0] -= 1
      }
    }
    #expect(rest.values.allSatisfy { $0 == 0 })
    #expect(most <= max(limit, size) + size && room.used == 0)
  }
}
