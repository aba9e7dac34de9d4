// The limits for all jobs together, as the API has them: a rate, the rates at certain times of the week, the number of
// concurrent jobs, and the times at which jobs are transferred.

internal import DrayCore
internal import DrayDocuments

struct LimitsOrder: Sendable, Equatable {
  /// A time of day on some days of the week, and the rate during that time.
  struct Entry: Sendable, Equatable {
    var from: String
    var to: String
    var days: String
    /// The rate as people write it; `nil` means no limit.
    var rate: String?
  }

  /// The rate at all times that no entry covers.
  var overallRate: String?
  /// The rate that applies while the slow switch is on, and whether it is on. While the switch is on, its rate applies
  /// at all times.
  var slow: String?
  var isSlow = false
  /// The times of the week that have a rate of their own. If two entries cover the same time, the first one applies.
  var timetable: [Entry] = []
  /// The number of concurrent jobs; `nil` for as many as help.
  var jobs: Int?
  /// The times at which jobs are transferred: a window, or `off` for all times. With a missing value, each runner has
  /// the times again that it was started with; `nil` leaves the times as they are.
  var between: QueueOrder.New<String>?

  static let schema = APISchema.object([
    APIField(
      "overallRate", .nullable(.text(most: 40)), "Bytes a second, such as 500k or 2M; null for no limit.",
      isNeeded: true),
    APIField("timetable", .list(entry, most: 100), "At these times another rate holds.", isNeeded: true),
    APIField(
      "jobs", .either([.choice(["auto"]), .integer(1...1000)]), "How many jobs are transferred at once.", isNeeded: true
    ),
    APIField(
      "between", .nullable(.text(most: 4096, isNeeded: true)),
      """
      The times at which jobs are transferred, such as 01:00-07:00; off for all, null for those that each runner was \
      started with. Left out, they stay.
      """),
    APIField("slow", .nullable(.text(most: 40)), "The rate of the slow switch. Left out, it stays."),
    APIField("isSlow", .flag, "Whether the slow switch is on: its rate replaces all others."),
  ])

  static let answer =
    if case .object(let fields, _) = schema {
      APISchema.object(
        fields + [APIField("now", .nullable(.integer(0...Int64.max)), "The rate at present; null for no limit.")])
    } else {
      schema
    }

  private static let entry = APISchema.object([
    APIField("from", .text(most: 5, isNeeded: true), "HH:MM", isNeeded: true),
    APIField("to", .text(most: 5, isNeeded: true), "HH:MM; at or before `from` it is of the next day.", isNeeded: true),
    APIField("days", .text(most: 80, isNeeded: true), "Days and ranges: mon-fri,sun", isNeeded: true),
    APIField(
      "rate", .nullable(.text(most: 40)), "Bytes a second, such as 500k or 2M; null for no limit.", isNeeded: true),
  ])

  init(overallRate: String? = nil, timetable: [Entry] = [], jobs: Int? = nil) {
    (self.overallRate, self.timetable, self.jobs) = (overallRate, timetable, jobs)
  }

  /// Reads a JSON value that matches ``schema``.
  init(_ node: JSONNode) {
    overallRate = node["overallRate"]?.string
    timetable = (node["timetable"]?.array ?? []).map { entry in
      Entry(
        from: entry["from"]?.string ?? "", to: entry["to"]?.string ?? "", days: entry["days"]?.string ?? "",
        rate: entry["rate"]?.string)
    }
    jobs = node["jobs"]?.integer.map { Int($0) }
    between = node["between"].map { QueueOrder.New(value: $0.string) }
    slow = node["slow"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    isSlow = node["isSlow"]?.isTrue ?? false
  }

  /// Returns the times at which jobs are transferred; `nil` means all times.
  /// - Throws: ``APIFailure`` if the text of the times is invalid.
  func window() throws(APIFailure) -> TransferWindow? {
    guard let text = between?.value, text != "off" else { return nil }
    do throws(QuantityParseError) { return try TransferWindow.parse(text) } catch {
      throw .bad("between: \(error.message)")
    }
  }

  /// Writes the limits as the fields of ``schema``. In an answer, the rate at present is written as well.
  func write(to json: inout JSONText, now: Int64?? = nil) {
    json.beginObject()
    json.field("overallRate", overallRate)
    json.key("timetable")
    json.beginArray()
    for entry in timetable {
      json.beginObject()
      json.field("from", entry.from)
      json.field("to", entry.to)
      json.field("days", entry.days)
      json.field("rate", entry.rate)
      json.endObject()
    }
    json.endArray()
    if let jobs { json.field("jobs", jobs) } else { json.field("jobs", "auto") }
    json.field("between", between?.value)
    json.field("slow", slow)
    json.field("isSlow", isSlow)
    if let now { json.field("now", now) }
    json.endObject()
  }

  /// Parses a rate as people write it; the result is `nil` for no limit.
  static func rate(_ text: String) throws(QuantityParseError) -> Int64? {
    guard case .fixed(let rate) = try RateRule.parse(text) else {
      // A timetable in place of a rate is refused here.
      _ = try ByteCount.parseRate(text)
      return nil
    }
    return rate
  }

  /// Returns a rate as the shortest text that means the same rate.
  static func text(_ rate: Int64) -> String {
    var (rate, unit) = (rate, 0)
    while rate % 1024 == 0, rate > 0, unit < 4 { (rate, unit) = (rate / 1024, unit + 1) }
    return "\(rate)" + ["", "k", "M", "G", "T"][unit]
  }
}
