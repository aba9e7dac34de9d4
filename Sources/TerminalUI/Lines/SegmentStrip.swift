// A file as a row of cells for its present and missing parts.

/// Draws maps of files. Each has exactly the given width, including its two ends.
enum SegmentStrip {
  enum Cell: Hashable {
    /// All of its bytes are present.
    case done
    /// Some of its bytes are present.
    case partial
    /// None of its bytes are present, and some are being fetched.
    case fetching
    case missing
  }

  static func cells(_ map: FileMap, count: Int) -> [Cell] {
    guard count > 0, map.size > 0 else { return [] }
    var there = [Int64](repeating: 0, count: count)
    var fetched = [Bool](repeating: false, count: count)
    // Returns the first byte of a cell. Uses 128 bits, because sizes may be absurd.
    func bound(_ cell: Int) -> Int64 {
      let product = Int64(cell).multipliedFullWidth(by: map.size)
      return Int64(count).dividingFullWidth(product).quotient
    }
    func cell(of position: Int64) -> Int {
      let product = position.multipliedFullWidth(by: Int64(count))
      return min(count - 1, Int(map.size.dividingFullWidth(product).quotient))
    }
    func walk(_ range: Range<Int64>, _ body: (Int, Int64) -> Void) {
      let range = range.clamped(to: 0..<map.size)
      guard !range.isEmpty else { return }
      for index in max(0, cell(of: range.lowerBound) - 1)...min(count - 1, cell(of: range.upperBound - 1) + 1) {
        let part = range.clamped(to: bound(index)..<max(bound(index), bound(index + 1)))
        if !part.isEmpty { body(index, part.upperBound - part.lowerBound) }
      }
    }
    for range in map.done { walk(range) { there[$0] += $1 } }
    for range in map.fetching { walk(range) { index, _ in fetched[index] = true } }
    return (0..<count).map { index in
      let length = bound(index + 1) - bound(index)
      if length > 0, there[index] >= length { return .done }
      if there[index] > 0 { return .partial }
      return fetched[index] ? .fetching : .missing
    }
  }

  /// Returns the strip as plain text.
  static func text(_ map: FileMap, width: Int, unicode: Bool) -> String {
    guard width >= 3 else { return TextFit.spaces(width) }
    let inside = cells(map, count: width - 2).map { cell in
      switch cell {
      case .done: unicode ? "█" : "#"
      case .partial: unicode ? "▓" : "+"
      case .fetching: unicode ? "░" : "."
      case .missing: " "
      }
    }.joined()
    let filled = inside.isEmpty ? TextFit.spaces(width - 2) : inside
    return unicode ? "▕\(filled)▏" : "[\(filled)]"
  }
}

extension StyledLine {
  /// Appends the strip of a file, `width` cells wide.
  public mutating func append(_ map: FileMap, width: Int, profile: TerminalProfile) {
    append(
      SegmentStrip.text(map, width: width, unicode: profile.unicode), width: max(0, width), .cyan, profile: profile)
  }
}
