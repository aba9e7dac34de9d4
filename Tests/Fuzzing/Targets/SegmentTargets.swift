// Sets and plans of segments against independent models of the bytes.

@testable import DrayCore

extension FuzzTarget {
  static let segmentSet = FuzzTarget("SegmentSet", rounds: 2000) { (choices: inout Choices) throws(Violation) in
    let size = 48
    var model = [Bool](repeating: false, count: size)
    var set = SegmentSet()
    while !choices.isEmpty {
      let (one, other) = (choices.number(0...size), choices.number(0...size))
      let range = min(one, other)..<max(one, other)
      let segment = Int64(range.lowerBound)..<Int64(range.upperBound)
      switch choices.number(0...5) {
      case 0, 1, 2:
        set.insert(segment)
        for index in range { model[index] = true }
      case 3:
        set.remove(segment)
        for index in range { model[index] = false }
      case 4:
        set = set.clamped(to: segment)
        for index in model.indices where !range.contains(index) { model[index] = false }
      default:
        let missing = set.missing(from: Int64(range.upperBound))
        for index in model.indices {
          let has = missing.contains(Int64(index)..<Int64(index) + 1)
          try hold(has == (index < range.upperBound && !model[index]), "what is missing is: \(set), \(missing)")
        }
      }
      try hold(set.contains(segment) == model[range].allSatisfy(\.self), "what is there is: \(set), \(segment)")
      try hold(set.count == Int64(model.count(where: \.self)), "each byte counts once: \(set)")
      try hold(set.prefix == Int64(model.firstIndex(of: false) ?? size), "what is there from 0 on: \(set)")
      try hold(set.end == Int64((model.lastIndex(of: true) ?? -1) + 1), "where it ends: \(set)")
      try hold(set.isWhole(Int64(size)) == model.allSatisfy(\.self), "whole is all of it: \(set)")
      for (left, right) in zip(set.segments, set.segments.dropFirst()) {
        try hold(left.upperBound < right.lowerBound, "in order, and none touches the next: \(set)")
      }
      try hold(SegmentSet(set.description) == set, "reads what it writes: \(set)")
    }
  }

  static let segmentText = FuzzTarget(
    "SegmentSet, read", words: ["0-", "-", ",", "9223372036854775807", "5", "+"],
    seeds: ["0-65536,131072-200000", "0-9223372036854775807"]
  ) { (text: String) throws(Violation) in
    guard let set = SegmentSet(text) else { return }
    try hold(SegmentSet(set.description) == set, "reads what it writes: \(set)")
    try hold(set.segments.allSatisfy { $0.lowerBound >= 0 && !$0.isEmpty }, "segments: \(set)")
    _ = (set.firstGap, set.prefix, set.count, set.missing(from: .max))
  }

  static let segmentPlan = FuzzTarget("SegmentPlan", rounds: 1500) { (choices: inout Choices) throws(Violation) in
    let size = choices.pick([0, 1, 1 << 20, 1 << 30, 1 << 50, .max, .max - 1] as [Int64])
    var plan = SegmentPlan(
      size: size, done: SegmentSet(0..<min(size, Int64(choices.byte()) << Int64(choices.number(0...40)))))
    var now = 0.0
    var steps = 0
    while !choices.isEmpty, steps < 60 {
      steps += 1
      now += choices.pick([0, 0.001, 0.3, 3, 1e6])
      let room = SegmentPlan.Room(
        connections: choices.pick([1, 2, 8, 64, 0]),
        perSource: (0..<choices.number(0...3)).map { _ in choices.pick([8, 1, 0]) })
      for piece in plan.pieces where choices.bool() {
        let step = choices.pick([1, 65_536, 1 << 30, piece.remaining, 0])
        let position = min(piece.upper, piece.position + min(step, piece.remaining))
        if choices.bool() {
          plan.note(piece.id, at: position, now: now)
        } else {
          plan.end(piece.id, at: position, now: now)
        }
      }
      for action in plan.next(room, now: now) {
        if case .open(_, let segment, _) = action { try hold(!segment.isEmpty, "no segment is empty") }
      }
      // Each byte is in exactly one place.
      var all = plan.done
      var count = plan.done.count + plan.unowned.count
      for segment in plan.unowned.segments { all.insert(segment) }
      for piece in plan.pieces {
        try hold(piece.lower <= piece.position && piece.position <= piece.upper, "a piece is in its bounds")
        all.insert(piece.lower..<piece.upper)
        count += piece.upper - piece.lower
      }
      try hold(all.isWhole(size) && count == size, "each byte is in exactly one place: \(all), \(count) of \(size)")
    }
  }
}
