/// The times of the day and the week at which jobs are transferred.
///
/// A window is in local time: 01:00-07:00 is open from 01:00 up to, but not including, 07:00. In a night with a clock
/// change, such a window lasts an hour less or more.
public struct TransferWindow: Sendable, Equatable {
  private struct Span: Sendable, Equatable {
    /// The days of the week on which the span begins; bit 0 is Monday.
    var days: UInt8
    /// The start of the span, in seconds since midnight.
    var from: Int
    /// The end of the span, in seconds since midnight, up to 86,400. A time that is not after `from` means the next
    /// day.
    var to: Int

    var isOverMidnight: Bool { to <= from }
  }

  private var spans: [Span] = []

  private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let everyDay: UInt8 = 0b111_1111
  private static let day = 86_400
  /// The maximum number of words in a text, which may come from a client.
  private static let mostWords = 100
  /// The maximum number of spans, because every claim of jobs examines each of them.
  private static let mostSpans = 32

  /// Reads `01:00-07:00`, `Mon-Fri 22:00-06:00`, `Mon-Thu,Sun 22:00-06:00 Sat`: times, or days, or days and the times on
  /// them, separated by blanks or commas. Days without times are whole days. A time that ends at or before its start
  /// ends on the next day.
  /// - Throws: ``QuantityParseError`` for any other text.
  public static func parse(_ text: String) throws(QuantityParseError) -> TransferWindow {
    var window = TransferWindow()
    // The days that were read last, and whether times for them have followed.
    var (days, hasTimes) = (everyDay, true)
    let words = text.split { $0.isWhitespace || $0 == "," }
    guard !words.isEmpty, words.count <= mostWords else {
      throw QuantityParseError("\(quoted(text)) is not a window: write it like 01:00-07:00 or Mon-Fri 22:00-06:00")
    }
    for word in words {
      if let more = self.days(word) {
        days = hasTimes ? more : days | more
        hasTimes = false
      } else if let (from, to) = times(word) {
        guard from != to else {
          throw QuantityParseError("\(quoted(word)) ends when it begins: for the whole day write 00:00-24:00")
        }
        window.spans.append(Span(days: days, from: from, to: to))
        hasTimes = true
      } else {
        throw QuantityParseError(
          "\(quoted(word)) is not a part of a window: write it like 01:00-07:00 or Mon-Fri 22:00-06:00")
      }
    }
    if !hasTimes { window.spans.append(Span(days: days, from: 0, to: day)) }
    guard window.spans.count <= mostSpans else {
      throw QuantityParseError("a window of more than \(mostSpans) spans of time is too long: leave some out")
    }
    return window
  }

  /// Reads days such as `Sat` or `Fri-Mon`; `nil` for other words.
  private static func days(_ word: Substring) -> UInt8? {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { end in
      names.firstIndex { $0.lowercased() == end.lowercased() }
    }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
    return (0...((last - first + 7) % 7)).reduce(UInt8(0)) { $0 | 1 << UInt8((first + $1) % 7) }
  }

  /// Reads times such as `22:00-06:00`; `nil` for other words.
  private static func times(_ word: Substring) -> (from: Int, to: Int)? {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let from = DateText.timeOfDay(ends[0]) else { return nil }
    return (ends[1] == "24:00" ? day : DateText.timeOfDay(ends[1])).map { (from, $0) }
  }
}

extension TransferWindow {
  /// Returns whether the window is open at `moment`, in seconds since 1970.
  public func isOpen(at moment: Double, zone: LocalZone) -> Bool {
    let now = zone.reading(at: moment)
    let today: UInt8 = 1 << UInt8(now.weekday)
    let yesterday: UInt8 = 1 << UInt8((now.weekday + 6) % 7)
    return spans.contains { span in
      if span.isOverMidnight {
        span.days & today != 0 && now.seconds >= span.from || span.days & yesterday != 0 && now.seconds < span.to
      } else {
        span.days & today != 0 && now.seconds >= span.from && now.seconds < span.to
      }
    }
  }

  /// Returns when the window opens: `moment` if it is open now, `nil` if it never opens.
  public func opening(at moment: Double, zone: LocalZone) -> Double? {
    isOpen(at: moment, zone: zone) ? moment : nextChange(after: moment, zone: zone)
  }

  /// Returns when the window opens or closes next; `nil` if it never changes.
  public func nextChange(after moment: Double, zone: LocalZone) -> Double? {
    // Usually the next change is soon. The longer search is for a window whose only time in the week is skipped because
    // the clocks are changed.
    change(after: moment, days: -1...2, zone).flatMap { $0 < moment + 86_400 ? $0 : nil }
      ?? change(after: moment, days: -1...15, zone)
  }

  /// Days are counted from the day of `moment`.
  private func change(after moment: Double, days: ClosedRange<Int64>, _ zone: LocalZone) -> Double? {
    let isOpen = isOpen(at: moment, zone: zone)
    let today = zone.reading(at: moment).day
    let times = Set(spans.flatMap { [$0.from, $0.to] })
    // The window can change only at its own times and when the clocks are changed.
    var moments: [Double] = []
    for day in today + days.lowerBound...today + days.upperBound {
      for time in times { moments += zone.moments(day: day, seconds: time) }
      if let shift = zone.shift(on: day) { moments.append(shift) }
    }
    return moments.filter { $0 > moment }.sorted().first { self.isOpen(at: $0, zone: zone) != isOpen }
  }
}

extension TransferWindow: CustomStringConvertible {
  /// The window in its shortest form, which ``parse(_:)`` reads.
  public var description: String {
    var words: [String] = []
    var days = TransferWindow.everyDay
    for (index, span) in spans.enumerated() {
      let isWhole = span.from == 0 && span.to == TransferWindow.day
      if span.days != days || isWhole {
        words.append(TransferWindow.text(days: span.days))
        days = span.days
      }
      // Days without times would otherwise get the times that follow later in the text.
      if !isWhole || index < spans.count - 1 {
        words.append("\(TransferWindow.text(time: span.from))-\(TransferWindow.text(time: span.to))")
      }
    }
    return words.joined(separator: " ")
  }

  /// Days in their short form, such as `Mon-Fri,Sun`.
  private static func text(days: UInt8) -> String {
    var words: [String] = []
    var rest = names.indices.filter { days & 1 << UInt8($0) != 0 }[...]
    while let first = rest.popFirst() {
      var last = first
      while rest.first == last + 1 { last = rest.removeFirst() }
      words += last - first < 2 ? Array(names[first...last]) : ["\(names[first])-\(names[last])"]
    }
    return words.joined(separator: ",")
  }

  /// A time such as `22:00`, with seconds if it has any.
  private static func text(time: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = "\(two(time / 3600)):\(two(time / 60 % 60))"
    return time % 60 == 0 ? minutes : "\(minutes):\(two(time % 60))"
  }
}

extension LocalZone {
  /// The moment of a day (by UTC) at which the clocks are changed; `nil` if they are not changed.
  fileprivate func shift(on day: Int64) -> Double? {
    var (before, after) = (Double(day) * 86_400, Double(day + 1) * 86_400)
    guard offset(before) != offset(after) else { return nil }
    while after - before > 1 {
      let middle = ((before + after) / 2).rounded(.down)
      if offset(middle) == offset(before) { before = middle } else { after = middle }
    }
    return after
  }
}
