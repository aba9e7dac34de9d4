// The columns of a table with their final widths, and the rows drawn in them.

/// The columns that are shown, with their widths.
struct TableLayout {
  private let shown: [(index: Int, column: TextTable.Column, width: Int)]
  private let isBounded: Bool
  private let profile: TerminalProfile
  private static let gap = 2

  /// Computes widths from the headings and the texts of `sample`, and fits them to the window of `table`.
  init(_ table: TextTable, sample: [[TextTable.Cell]]) {
    var widths = table.columns.map { max(1, $0.minimum, DisplayWidth.of($0.title)) }
    for row in sample {
      for (index, cell) in row.enumerated() where index < widths.count {
        widths[index] = max(widths[index], DisplayWidth.of(cell.text))
      }
    }
    var columns = zip(table.columns, widths).enumerated().map { (index: $0, column: $1.0, width: $1.1) }
    if let width = table.width {
      columns = Self.fit(columns, into: max(1, width))
    } else {
      for index in columns.indices {
        columns[index].width = min(columns[index].width, max(TextTable.widest, columns[index].column.minimum))
      }
    }
    shown = columns
    isBounded = table.width != nil
    profile = table.profile
  }

  func appendHeading(to text: inout String) {
    appendLine(to: &text) { TextTable.Cell(shown[$0].column.title, style: .bold) }
  }

  /// Appends the line of a row. Missing cells are empty.
  func append(_ row: [TextTable.Cell], to text: inout String) {
    appendLine(to: &text) { position in
      let index = shown[position].index
      return index < row.count ? row[index] : ""
    }
  }

  private func appendLine(to text: inout String, cell: (Int) -> TextTable.Cell) {
    // Hold back spaces until another text follows, so that no line ends with them.
    var owed = 0
    for (position, (_, column, width)) in shown.enumerated() {
      let cell = cell(position)
      let (fitting, taken) = fit(cell.text, column, width)
      let padding = max(0, width - taken)
      if taken > 0 {
        appendSpaces(owed + (column.isRightAligned ? padding : 0), to: &text)
        appendStyled(fitting, cell, to: &text)
        owed = column.isRightAligned ? 0 : padding
      } else {
        owed += padding
      }
      owed += Self.gap
    }
    text += "\n"
  }

  private func fit(_ text: String, _ column: TextTable.Column, _ width: Int) -> TextFit.Fitted {
    let width = isBounded ? width : TextTable.longest
    return column.cut == .middle
      ? TextFit.middle(text, width: width, ellipsis: profile.ellipsis)
      : TextFit.end(text, width: width, ellipsis: profile.ellipsis)
  }

  private func appendStyled(_ fitting: String, _ cell: TextTable.Cell, to text: inout String) {
    let style = Style(profile)
    let linked = cell.link.map { style.hyperlink(fitting, $0) } ?? fitting
    text += cell.style.map { style.apply($0, linked) } ?? linked
  }

  private func appendSpaces(_ count: Int, to text: inout String) {
    for _ in 0..<count { text.unicodeScalars.append(" ") }
  }
}

extension TableLayout {
  private typealias Columns = [(index: Int, column: TextTable.Column, width: Int)]

  /// Narrows the columns until they fit: first those that may be cut, then drops optional ones, then narrows any, then
  /// drops any.
  private static func fit(_ natural: Columns, into width: Int) -> Columns {
    var candidates = natural
    while true {
      let fitted = shrink(candidates, into: width) { $0.cut == nil ? nil : $0.minimum }
      if total(fitted) <= width { return fitted }
      guard let optional = candidates.lastIndex(where: \.column.isOptional) else { break }
      candidates.remove(at: optional)
    }
    while true {
      let fitted = shrink(candidates, into: width) { _ in 1 }
      if total(fitted) <= width || candidates.count <= 1 { return fitted }
      candidates.removeLast()
    }
  }

  /// Narrows the widest of the columns that have a minimum, until the line fits or all are at their minimum.
  private static func shrink(
    _ columns: Columns, into width: Int, least: (TextTable.Column) -> Int?
  ) -> Columns {
    var columns = columns
    var excess = total(columns) - width
    while excess > 0 {
      let giving = columns.indices.filter { columns[$0].width > least(columns[$0].column) ?? .max }
      guard let widest = giving.max(by: { columns[$0].width < columns[$1].width }) else { break }
      columns[widest].width -= 1
      excess -= 1
    }
    return columns
  }

  private static func total(_ columns: Columns) -> Int {
    columns.reduce(gap * (columns.count - 1)) { $0 + $1.width }
  }
}
