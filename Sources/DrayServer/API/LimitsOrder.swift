// The limits that hold for all jobs, as the API has them: a rate, other rates at some times of the week, and how many jobs at once.

internal import DrayCore
internal import DrayDocuments

/// All limits.
struct LimitsOrder: Sendable, Equatable {
  /// A time of the day on some days, and the rate that holds then.
  struct Entry: Sendable, Equatable {
    var from: String
    var to: String
    var days: String
    /// As people write it; nil is no limit.
    var rate: String?
  }

  /// Outside of all entries.
  var overallRate: String?
  /// Where two overlap, the first holds.
  var timetable: [Entry] = []
  /// How many jobs at once; nil is as many as help.
  var jobs: Int?

  static let schema = APISchema.object([
    APIField(
      "overallRate", .nullable(.text(most: 40)), "Bytes a second, such as 500k or 2M; null for no limit.",
      isNeeded: true),
    APIField("timetable", .list(entry, most: 100), "At these times another rate holds.", isNeeded: true),
    APIField(
      "jobs", .either([.choice(["auto"]), .integer(1...1000)]), "How many jobs are transferred at once.", isNeeded: true
    ),
  ])

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

  /// Reads a value that fits ``schema``.
  init(_ node: JSONNode) {
    overallRate = node["overallRate"]?.string
    timetable = (node["timetable"]?.array ?? []).map { entry in
      Entry(
        from: entry["from"]?.string ?? "", to: entry["to"]?.string ?? "", days: entry["days"]?.string ?? "",
        rate: entry["rate"]?.string)
    }
    jobs = node["jobs"]?.integer.map { Int($0) }
  }

  /// Writes them, with the fields of ``schema``.
  func write(to json: inout JSONText) {
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
    json.endObject()
  }

  /// A rate as people write it; nil is no limit.
  static func rate(_ text: String) throws(QuantityParseError) -> Int64? {
    guard case .fixed(let rate) = try RateRule.parse(text) else {
      // A timetable where a rate belongs.
      _ = try ByteCount.parse(text)
      return nil
    }
    return rate
  }

  /// A rate in the fewest letters.
  static func text(_ rate: Int64) -> String {
    var (rate, unit) = (rate, 0)
    while rate % 1024 == 0, rate > 0, unit < 4 { (rate, unit) = (rate / 1024, unit + 1) }
    return "\(rate)" + ["", "k", "M", "G", "T"][unit]
  }
}
