// One job as one line: number, name, bar, percent, bytes, rate, time left, or its state.

/// Draws a job's line. A pure function: the same values give the same line.
public enum ProgressLine {
  /// The line of `item`, never wider than the layout. `frame` is the number of the frame: it moves the bar of a
  /// job whose size is unknown.
  public static func draw(
    _ item: BarItem, layout: LineLayout, frame: Int = 0, profile: TerminalProfile
  ) -> StyledLine {
    var line = StyledLine()
    // Where every column ends is known beforehand; a short text never shifts the ones after it.
    var column = 0
    func next(_ width: Int) -> Int {
      column += width + (column > 0 ? layout.gap : 0)
      return column - width
    }
    if layout.id > 0 {
      line.append(right("\(item.id)", layout.id), .dim, profile: profile)
      column = layout.id
    }
    if layout.name > 0 {
      line.pad(to: next(layout.name))
      let name = TextFit.truncatedMiddle(
        ControlText.printable(shownName(item, profile)), width: layout.name, ellipsis: profile.ellipsis)
      line.append(name, item.state == .queued ? .dim : nil, link: item.link, profile: profile)
    }
    if layout.tail > 0, item.hasNoBar {
      // Why it failed, or what it waits for, needs the room more than an empty bar does.
      let start = next(layout.bar > 0 ? layout.bar : layout.percent)
      line.pad(to: start)
      line.append(
        status(item, width: layout.width - start, profile: profile), item.state.style, profile: profile)
      return line
    }
    if layout.bar > 0 {
      line.pad(to: next(layout.bar))
      line.append(
        bar(item, width: layout.bar, frame: frame, profile: profile), width: layout.bar, item.state.style,
        profile: profile)
    }
    line.pad(to: next(layout.percent))
    let (text, style) = percent(item, layout: layout)
    line.append(right(text, layout.percent), style, profile: profile)
    if layout.bytes > 0 {
      line.pad(to: next(layout.bytes))
      line.append(right(bytes(item), layout.bytes), profile: profile)
    }
    guard layout.tail > 0 else { return line }
    let tail = next(layout.rate)
    guard item.state == .active || item.state == .sending else {
      line.pad(to: tail)
      line.append(
        status(item, width: layout.width - tail, profile: profile), item.state.style, profile: profile)
      return line
    }
    if let rate = item.rate {
      line.pad(to: tail)
      line.append(right(ByteText.rate(rate), layout.rate), profile: profile)
    }
    if layout.eta > 0 {
      let column = next(layout.eta)
      if let eta = item.shownETA {
        line.pad(to: column)
        line.append("ETA " + TimeText.remaining(eta), .dim, profile: profile)
      }
    }
    if layout.connections > 0, item.connections > 1 {
      line.pad(to: next(layout.connections))
      line.append((profile.unicode ? "×" : "x") + "\(item.connections)", .dim, profile: profile)
    } else if layout.connections > 0 {
      _ = next(layout.connections)
    }
    if layout.elapsed > 0 {
      let column = next(layout.elapsed)
      line.pad(to: column)
      line.append(right(item.elapsed.map(TimeText.elapsed) ?? "", layout.elapsed), .dim, profile: profile)
    }
    if layout.host > 0, let host = item.host {
      line.pad(to: next(layout.host))
      line.append(
        TextFit.truncatedMiddle(ControlText.printable(host), width: layout.host, ellipsis: profile.ellipsis), .dim,
        profile: profile)
    }
    return line
  }

  /// The name; with an arrow before it while the request is sent.
  private static func shownName(_ item: BarItem, _ profile: TerminalProfile) -> String {
    item.state == .sending ? (profile.unicode ? "↑ " : "^ ") + item.name : item.name
  }

  private static func bar(_ item: BarItem, width: Int, frame: Int, profile: TerminalProfile) -> String {
    if item.fraction == nil, item.state == .active || item.state == .connecting {
      return Bar.indeterminate(frame: frame, width: width, unicode: profile.unicode)
    }
    return Bar.determinate(item.fraction ?? 0, width: width, unicode: profile.unicode)
  }

  /// The percent, or something more useful in its place: the state if it has no column, the bytes if the size is unknown.
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

  private static func status(_ item: BarItem, width: Int, profile: TerminalProfile) -> String {
    let words =
      switch (item.state, item.note) {
      case (.retrying, let note?): "retry \(note)"
      case (let state, let note?): "\(state.word): \(note)"
      case (let state, nil): state.word
      }
    return TextFit.truncatedEnd(
      ControlText.printable(words), width: width, ellipsis: profile.ellipsis)
  }

  /// `text` at the right edge of a column; cut where the column is narrower than any text of its kind.
  private static func right(_ text: String, _ width: Int) -> String {
    TextFit.paddedLeft(TextFit.prefix(text, width: width).text, width: width)
  }
}

extension BarItem {
  /// Whether there is nothing that a bar could show: it has not begun, or is over without a file.
  fileprivate var hasNoBar: Bool {
    switch state {
    case .failed: true
    case .queued, .retrying, .paused, .interrupted: received <= 0
    default: false
    }
  }
}
