// Rates over time as a small graph of blocks.

/// Draws values as columns, the newest at the right.
public enum RateGraph {
  private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let plain: [Character] = [" ", ".", ":", "|"]

  /// Rows from the top; each is `width` cells wide.
  ///
  /// The highest value fills its column; a value that is not 0 is seen. Of more values than there are columns the last are shown.
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
