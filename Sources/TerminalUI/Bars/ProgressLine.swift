// A job's line: number, name, bar, percentage, bytes, rate, time left, or its state.

/// Draws a job's line. Equal values give equal lines.
public enum ProgressLine {
  /// Returns the line of `item`, at most as wide as the layout. `frame` is the number of the frame, which moves the bar
  /// of a job of unknown size.
  public static func draw(
    _ item: BarItem, layout: LineLayout, frame: Int = 0, profile: TerminalProfile
  ) -> StyledLine {
    var columns = ColumnWriter(layout: layout, profile: profile)
    if layout.id > 0 { columns.write(right("\(item.id)", layout.id), in: layout.id, .dim) }
    if layout.name > 0 {
      let name = columns.cut(shownName(item, profile), to: layout.name)
      columns.write(name, in: layout.name, item.state == .queued ? .dim : nil, link: item.link)
    }
    if layout.tail > 0, item.hasNoBar || item.note != nil && layout.isNarrow && item.state.isStopped {
      // The reason for a failure or a wait needs the room more than an empty bar.
      columns.writeLast(
        words(item, withShare: true), from: layout.bar > 0 ? layout.bar : layout.percent, item.state.style)
      return columns.line
    }
    drawProgress(item, frame, &columns)
    guard layout.tail > 0 else { return columns.line }
    if item.state == .active || item.state == .sending {
      drawTransfer(item, &columns)
    } else {
      columns.writeLast(words(item), from: layout.rate, item.state.style)
    }
    return columns.line
  }

  /// Draws the progress: bar, percentage and bytes.
  private static func drawProgress(_ item: BarItem, _ frame: Int, _ columns: inout ColumnWriter) {
    let layout = columns.layout
    if layout.bar > 0 {
      let text = bar(item, width: layout.bar, frame: frame, profile: columns.profile)
      columns.write(text, in: layout.bar, measured: layout.bar, item.state.style)
    }
    let (text, style) = percent(item, layout: layout)
    columns.write(right(text, layout.percent), in: layout.percent, style)
    if layout.bytes > 0 { columns.write(right(bytes(item), layout.bytes), in: layout.bytes) }
  }

  /// Draws the transfer: rate, time left, connections, elapsed time and server.
  private static func drawTransfer(_ item: BarItem, _ columns: inout ColumnWriter) {
    let (layout, profile) = (columns.layout, columns.profile)
    columns.write(item.rate.map { right(ByteText.rate($0), layout.rate) }, in: layout.rate)
    if layout.eta > 0 { columns.write(item.shownETA.map { "ETA " + TimeText.remaining($0) }, in: layout.eta, .dim) }
    if layout.connections > 0 {
      let text = item.connections > 1 ? (profile.unicode ? "×" : "x") + "\(item.connections)" : nil
      columns.write(text, in: layout.connections, .dim)
    }
    if layout.elapsed > 0 {
      columns.write(right(item.elapsed.map(TimeText.elapsed) ?? "", layout.elapsed), in: layout.elapsed, .dim)
    }
    if layout.host > 0 { columns.write(item.remark.map { columns.cut($0, to: layout.host) }, in: layout.host, .dim) }
  }

  /// Returns the name, with an arrow before it while the request is sent.
  private static func shownName(_ item: BarItem, _ profile: TerminalProfile) -> String {
    item.state == .sending ? (profile.unicode ? "↑ " : "^ ") + item.name : item.name
  }

  private static func bar(_ item: BarItem, width: Int, frame: Int, profile: TerminalProfile) -> String {
    if item.fraction == nil, item.state == .active || item.state == .connecting {
      return Bar.indeterminate(frame: frame, width: width, unicode: profile.unicode)
    }
    return Bar.determinate(item.fraction ?? 0, width: width, unicode: profile.unicode)
  }

  /// Returns the percentage, or a more useful text instead: the state if it has no column, the bytes if the size is
  /// unknown.
  private static func percent(_ item: BarItem, layout: LineLayout) -> (text: String, style: TextStyle?) {
    if layout.tail == 0, item.state != .active, item.state != .sending {
      return (item.state.shortWord, item.state.style)
    }
    if let percent = item.percent { return ("\(percent) %", nil) }
    let isKnown = item.received > 0 || item.state.isLive
    return (layout.bytes == 0 && isKnown ? ByteText.compact(item.received) : "", nil)
  }

  private static func bytes(_ item: BarItem) -> String {
    guard let size = item.size, item.state != .complete else {
      return item.received > 0 || item.state == .complete ? ByteText.size(item.received) : ""
    }
    return ByteText.pair(item.received, of: size)
  }

  /// Returns the state, with its note if there is one.
  /// - Parameter withShare: Whether the received share comes first, because there is no bar.
  private static func words(_ item: BarItem, withShare: Bool = false) -> String {
    let share = withShare && item.received > 0 && item.state != .failed
    let start = share ? (item.percent.map { "\($0) %" } ?? ByteText.size(item.received)) + ", " : ""
    let words =
      switch (item.state, item.note) {
      case (.retrying, let note?): "retry \(note)"
      case (let state, let note?): "\(state.word): \(note)"
      case (let state, nil): state.word
      }
    return start + words
  }

  /// Returns `text` at the right edge of a column, cut if the column is narrower.
  private static func right(_ text: String, _ width: Int) -> String {
    TextFit.paddedLeft(TextFit.prefix(text, width: width).text, width: width)
  }
}

/// Writes the columns of a line from left to right. Each column ends at its place in the layout, even if its text is
/// shorter.
private struct ColumnWriter {
  let layout: LineLayout
  let profile: TerminalProfile
  private(set) var line = StyledLine()
  private var end = 0

  init(layout: LineLayout, profile: TerminalProfile) { (self.layout, self.profile) = (layout, profile) }

  /// Moves to the next column.
  /// - Returns: The start of the column.
  private mutating func advance(_ width: Int) -> Int {
    end += width + (end > 0 ? layout.gap : 0)
    return end - width
  }

  /// Writes the next column. Without a text, the column stays empty.
  /// - Parameter measured: The width of the text in cells; `nil` if unknown.
  mutating func write(
    _ text: String?, in width: Int, measured: Int? = nil, _ style: TextStyle? = nil, link: String? = nil
  ) {
    let start = advance(width)
    guard let text else { return }
    line.pad(to: start)
    if let measured {
      line.append(text, width: measured, style, profile: profile)
    } else {
      line.append(text, style, link: link, profile: profile)
    }
  }

  /// Writes a text into the next column, and lets it extend to the end of the line.
  mutating func writeLast(_ text: String, from width: Int, _ style: TextStyle?) {
    let start = advance(width)
    line.pad(to: start)
    let words = TextFit.truncatedEnd(
      ControlText.printable(text), width: layout.width - start, ellipsis: profile.ellipsis)
    line.append(words, style, profile: profile)
  }

  /// Returns a text that fits into `width`, cut in the middle if necessary.
  func cut(_ text: String, to width: Int) -> String {
    TextFit.truncatedMiddle(ControlText.printable(text), width: width, ellipsis: profile.ellipsis)
  }
}

extension BarItem {
  /// Whether a bar would show nothing: the job has not begun, or is over without a file.
  fileprivate var hasNoBar: Bool {
    switch state {
    case .failed: true
    case .queued, .retrying, .paused, .interrupted: received <= 0
    default: false
    }
  }
}
