// A small graph of rates over time, made of blocks.

/// Draws values as columns, with the newest at the right.
public enum RateGraph {
  private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let plain: [Character] = [" ", ".", ":", "|"]

  /// Returns the rows from the top, each `width` cells wide.
  ///
  /// The highest value fills its column, and any value above 0 is visible. If there are more values than columns, the
  /// last ones are shown.
  public static func rows(_ values: [Double], width: Int, height: Int, unicode: Bool) -> [String] {
    guard width > 0, height > 0 else { return [] }
    let shown = values.suffix(width).map { $0.isFinite ? max(0, $0) : 0 }
    let most = shown.max() ?? 0
    let cells = unicode ? blocks : plain
    let steps = cells.count - 1
    let levels = shown.map { value in
      most > 0 && value > 0 ? max(1, Int((value / most * Double(steps * height)).rounded())) : 0
    }
    return (0..<height).map { row in
      let floor = (height - 1 - row) * steps
      let text = String(levels.map { cells[min(steps, max(0, $0 - floor))] })
      return TextFit.spaces(width - shown.count) + text
    }
  }
}
