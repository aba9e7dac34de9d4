// Regular expressions for texts of servers (`feed --match`). All ways to match are followed at
// once (Thompson's simulation), so that the time is proportional to the text: a matcher that backtracks
// takes forever for some texts (P13).

/// A regular expression without what cannot be matched in one pass: back-references, look-around.
public struct LinearExpression: Sendable {
  /// One instruction of the program that an expression becomes.
  enum Step: Sendable {
    /// Consumes one scalar of a set and continues after it.
    case scalar(ScalarSet)
    /// Continues at both places.
    case split(Int, Int)
    case jump(Int)
    /// Continues if it holds.
    case assert(ExpressionNode.Assertion)
    case match
  }

  /// The largest program, in steps: each scalar of a text may take as many.
  static let mostSteps = 5000

  let steps: [Step]

  /// Reads an expression.
  /// - Parameter ignoresCase: whether to ignore case; `(?-i)` overrides it.
  /// - Throws: ``ExpressionError``.
  public static func parse(
    _ text: String, ignoresCase: Bool = false
  ) throws(ExpressionError) -> LinearExpression {
    var parser = ExpressionParser(text.composed, ignoresCase: ignoresCase)
    let node = try parser.parse()
    guard node.size < mostSteps else {
      throw ExpressionError("it is too large: its repetitions amount to more than \(mostSteps) steps")
    }
    var steps: [Step] = []
    LinearExpression.compile(node, into: &steps)
    steps.append(.match)
    return LinearExpression(steps: steps)
  }

  /// Whether any part of the text matches.
  public func matches(_ text: String) -> Bool {
    var work = 0
    return matches(text, work: &work)
  }

  /// The same; adds to `work` how many steps were taken.
  func matches(_ text: String, work: inout Int) -> Bool {
    var scalars = text.composed.unicodeScalars.makeIterator()
    var threads = ThreadList(steps.count)
    var next = ThreadList(steps.count)
    var before: Unicode.Scalar?
    var after = scalars.next()
    while true {
      let place = Place(before: before, after: after)
      // A match may begin anywhere; those that began earlier are at these steps already.
      if follow(0, at: place, into: &threads, &work) { return true }
      guard let scalar = after else { return false }
      (before, after) = (scalar, scalars.next())
      let behind = Place(before: before, after: after)
      for index in threads.waiting {
        work += 1
        guard case .scalar(let set) = steps[index], set.contains(scalar) else { continue }
        if follow(index + 1, at: behind, into: &next, &work) { return true }
      }
      swap(&threads, &next)
      next.clear()
    }
  }

  /// Adds what can be reached from a step without taking a scalar.
  /// - Returns: whether that is the end of the expression.
  private func follow(_ start: Int, at place: Place, into threads: inout ThreadList, _ work: inout Int) -> Bool {
    threads.pending.append(start)
    while let index = threads.pending.popLast() {
      guard threads.see(index) else { continue }
      work += 1
      switch steps[index] {
      case .match: return true
      case .scalar: threads.waiting.append(index)
      case .jump(let target): threads.pending.append(target)
      case .split(let one, let other): threads.pending += [one, other]
      case .assert(let assertion): if place.holds(assertion) { threads.pending.append(index + 1) }
      }
    }
    return false
  }

  private static func compile(_ node: ExpressionNode, into steps: inout [Step]) {
    switch node {
    case .empty: break
    case .set(let set): steps.append(.scalar(set))
    case .assertion(let assertion): steps.append(.assert(assertion))
    case .sequence(let nodes): for node in nodes { compile(node, into: &steps) }
    case .choice(let nodes):
      var exits: [Int] = []
      for node in nodes.dropLast() {
        let split = steps.count
        steps.append(.match)
        compile(node, into: &steps)
        exits.append(steps.count)
        steps.append(.match)
        steps[split] = .split(split + 1, steps.count)
      }
      if let last = nodes.last { compile(last, into: &steps) }
      for exit in exits { steps[exit] = .jump(steps.count) }
    case .repeated(let node, let least, let most):
      for _ in 0..<least { compile(node, into: &steps) }
      guard let most else {
        let split = steps.count
        steps.append(.match)
        compile(node, into: &steps)
        steps.append(.jump(split))
        steps[split] = .split(split + 1, steps.count)
        return
      }
      var splits: [Int] = []
      for _ in least..<most {
        splits.append(steps.count)
        steps.append(.match)
        compile(node, into: &steps)
      }
      for split in splits { steps[split] = .split(split + 1, steps.count) }
    }
  }
}

/// The current steps of all ways to match, each once.
private struct ThreadList {
  /// Those that wait for a scalar.
  var waiting: [Int] = []
  var pending: [Int] = []
  private var seen: [Int]
  private var round = 1

  init(_ count: Int) { seen = [Int](repeating: 0, count: count) }

  /// Marks a step; whether it was not marked yet.
  mutating func see(_ index: Int) -> Bool {
    guard seen[index] != round else { return false }
    seen[index] = round
    return true
  }

  mutating func clear() {
    waiting.removeAll(keepingCapacity: true)
    round += 1
  }
}

/// A place between two scalars of a text.
private struct Place {
  var before, after: Unicode.Scalar?

  func holds(_ assertion: ExpressionNode.Assertion) -> Bool {
    switch assertion {
    case .start: before == nil
    case .end: after == nil
    case .edgeOfWord: isEdge
    case .noEdgeOfWord: !isEdge
    }
  }

  private var isEdge: Bool {
    (before.map(ScalarSet.isOfWord) ?? false) != (after.map(ScalarSet.isOfWord) ?? false)
  }
}
