// The bar itself: a number of cells filled to a fraction, in eighths of a cell where the terminal can.

/// Draws bars. Every result has exactly the given width, including its two ends.
enum Bar {
  /// The narrowest useful bar: two ends and eight cells.
  static let minimumWidth = 10

  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// A bar filled to `fraction` (0 to 1). It is full at 1 only: an almost complete one leaves a visible gap.
  static func determinate(_ fraction: Double, width: Int, unicode: Bool) -> String {
    let cells = max(0, width - 2)
    let parts = unicode ? 8 : 1
    let whole = cells * parts
    let clamped = fraction > 0 ? min(1, fraction) : 0
    let filled = clamped < 1 ? min(Int(clamped * Double(whole)), max(0, whole - 1)) : whole
    let partial = unicode ? eighths[filled % 8] : ""
    return framed(
      repeated(filled: true, filled / parts, unicode) + partial
        + repeated(filled: false, cells - filled / parts - (partial.isEmpty ? 0 : 1), unicode),
      width: width, unicode: unicode)
  }

  /// A bar whose end is unknown: a block that moves back and forth, one cell per frame.
  static func indeterminate(frame: Int, width: Int, unicode: Bool) -> String {
    let cells = max(0, width - 2)
    let block = min(cells, max(2, cells / 5))
    let way = cells - block
    let step = way > 0 ? Int(frame.magnitude % UInt(2 * way)) : 0
    let start = step <= way ? step : 2 * way - step
    return framed(
      repeated(filled: false, start, unicode) + repeated(filled: true, block, unicode)
        + repeated(filled: false, way - start, unicode),
      width: width, unicode: unicode)
  }

  private static func repeated(filled: Bool, _ count: Int, _ unicode: Bool) -> String {
    let cell = filled ? (unicode ? "█" : "#") : (unicode ? " " : "-")
    return String(repeating: cell, count: max(0, count))
  }

  private static func framed(_ inside: String, width: Int, unicode: Bool) -> String {
    guard width >= 2 else { return TextFit.spaces(width) }
    return unicode ? "▕\(inside)▏" : "[\(inside)]"
  }
}
