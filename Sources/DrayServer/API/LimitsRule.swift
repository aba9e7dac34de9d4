// Converts between the timetable of the API and the rule that runners apply. Both say which rate applies in each minute
// of the week.

internal import DrayCore

struct LimitsRule: Sendable, Equatable {
  /// The number of minutes in a day and in a week.
  private static let day = 1440
  private static let week = 7 * day
  private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// The rule as a text for ``RateRule/parse(_:)``; `nil` if there is never a limit.
  let text: String?

  /// Creates the rule that follows from limits.
  /// - Throws: ``APIFailure`` for a rate, time or day that is invalid.
  init(_ limits: LimitsOrder) throws(APIFailure) {
    let overall = try LimitsRule.rate(limits.overallRate, "overallRate")
    let slow = try LimitsRule.rate(limits.slow, "slow")
    guard !limits.isSlow else {
      guard let slow else { throw .bad("isSlow: there is no rate for it", advice: "add \"slow\"") }
      text = LimitsOrder.text(slow)
      return
    }
    guard !limits.timetable.isEmpty else {
      text = overall.map { "\(LimitsOrder.text($0))" }
      return
    }
    var minutes: [Int64?] = Array(repeating: overall, count: LimitsRule.week)
    // The first entry takes precedence, so it is applied last.
    for (index, entry) in limits.timetable.enumerated().reversed() {
      let place = "timetable[\(index)]"
      let rate = try LimitsRule.rate(entry.rate, "\(place).rate")
      let from = try LimitsRule.minute(entry.from, "\(place).from")
      let to = try LimitsRule.minute(entry.to, "\(place).to")
      let length = to > from ? to - from : to + LimitsRule.day - from
      for day in try LimitsRule.days(entry.days, "\(place).days") {
        for minute in 0..<length { minutes[(day * LimitsRule.day + from + minute) % LimitsRule.week] = rate }
      }
    }
    text = LimitsRule.text(minutes)
  }

  /// Returns a rule that lists each time at which the rate changes; it lists at least one.
  private static func text(_ minutes: [Int64?]) -> String? {
    var words: [String] = []
    for minute in minutes.indices where minutes[minute] != minutes[(minute + week - 1) % week] {
      words.append(word(minute, minutes[minute]))
    }
    if words.isEmpty { return minutes[0].map { LimitsOrder.text($0) } }
    return words.joined(separator: " ")
  }

  private static func word(_ minute: Int, _ rate: Int64?) -> String {
    let (day, minute) = minute.quotientAndRemainder(dividingBy: day)
    return "\(names[day])-\(time(minute)),\(rate.map { LimitsOrder.text($0) } ?? "off")"
  }

  // MARK: Back

  /// Returns the limits that follow from a rule which another program set, in as few entries as possible.
  /// - Parameter text: The rule; `nil` if there is none.
  static func limits(of text: String?, jobs: Int?) -> LimitsOrder {
    var limits = LimitsOrder(jobs: jobs)
    guard let text, let rule = try? RateRule.parse(text) else { return limits }
    switch rule {
    case .fixed(let rate): limits.overallRate = rate.map { LimitsOrder.text($0) }
    case .timetable:
      // 1970-01-05 is a Monday. Any week will do, because the rule is the same in each week.
      let monday = 4 * 86_400.0
      for day in names.indices {
        let rates = (0..<LimitsRule.day).map { minute in
          rule.rate(at: monday + Double(day * LimitsRule.day + minute) * 60, zone: .utc)
        }
        add(spans(rates), on: day, to: &limits.timetable)
      }
    }
    return limits
  }

  /// Returns the times of one day that have a limit.
  private static func spans(_ rates: [Int64?]) -> [LimitsOrder.Entry] {
    var spans: [LimitsOrder.Entry] = []
    var start = 0
    for minute in 1...rates.count where minute == rates.count || rates[minute] != rates[start] {
      if let rate = rates[start] {
        spans.append(
          LimitsOrder.Entry(from: time(start), to: time(minute % day), days: "", rate: LimitsOrder.text(rate)))
      }
      start = minute
    }
    return spans
  }

  /// Adds the times of one day. If an earlier day has the same times, its entry is extended to this day.
  private static func add(_ spans: [LimitsOrder.Entry], on day: Int, to entries: inout [LimitsOrder.Entry]) {
    for span in spans {
      let same = entries.firstIndex { ($0.from, $0.to, $0.rate) == (span.from, span.to, span.rate) }
      guard let same else {
        entries.append(LimitsOrder.Entry(from: span.from, to: span.to, days: names[day], rate: span.rate))
        continue
      }
      let known = (try? days(entries[same].days, "")) ?? []
      entries[same].days = text(known + [day])
    }
  }

  /// Returns days of the week in a short form such as `mon-fri,sun`.
  private static func text(_ days: [Int]) -> String {
    var words: [String] = []
    var rest = days[...]
    while let first = rest.popFirst() {
      var last = first
      while rest.first == last + 1 { last = rest.removeFirst() }
      words.append(last == first ? names[first] : "\(names[first])-\(names[last])")
    }
    return words.joined(separator: ",")
  }

  // MARK: Words

  private static func rate(_ text: String?, _ place: String) throws(APIFailure) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    do throws(QuantityParseError) { return try LimitsOrder.rate(text) } catch {
      throw .bad("\(place): \(error.message)")
    }
  }

  private static func minute(_ text: String, _ place: String) throws(APIFailure) -> Int {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { throw .bad("\(place) is not a time: write it like 08:00") }
    return hour * 60 + minute
  }

  private static func time(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }

  /// Parses days of the week such as `mon-fri,sun`. A range such as `sat-mon` may cross the end of the week.
  static func days(_ text: String, _ place: String) throws(APIFailure) -> [Int] {
    var days: Set<Int> = []
    for word in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { names.firstIndex(of: String($0)) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
        throw .bad("\(place) are not days: write them like mon-fri,sun")
      }
      for offset in 0...((last - first + 7) % 7) { days.insert((first + offset) % 7) }
    }
    return days.sorted()
  }
}
