// Values of options; errors name the option, what was wrong and what would be right.

internal import DrayKit
internal import Threads

extension SettingContext {
  /// The time and the zone of now.
  static var current: SettingContext { SettingContext(now: WallClock.now(), zone: .current) }
}

enum OptionValue {
  /// A value in one of the forms of settings.
  static func read<Value>(_ text: String, _ form: SettingForm<Value>, _ option: String) throws(Failure) -> Value {
    do throws(SettingProblem) { return try form.value(of: text, .current) } catch { throw bad(option, error) }
  }

  /// The size of a file, in bytes.
  static func size(_ text: String, _ option: String) throws(Failure) -> Int64 { try read(text, .size, option) }

  /// A rate, or a timetable of rates.
  static func rateRule(_ text: String, _ option: String) throws(Failure) -> RateRule {
    do throws(QuantityParseError) { return try RateRule.parse(text) } catch { throw bad(option, error.message) }
  }

  /// Ids of jobs, in lists with commas.
  static func ids(_ texts: [String], _ option: String) throws(Failure) -> [JobID] {
    var ids: [JobID] = []
    for word in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let id = try read(String(word.trimmingSpaces()), .id, option)
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Seconds.
  static func seconds(_ text: String, _ option: String, mayBeZero: Bool = true) throws(Failure) -> Double {
    try read(text, .seconds(mayBeZero: mayBeZero), option)
  }

  /// A whole number in a range.
  static func count(_ text: String, _ option: String, _ range: ClosedRange<Int>) throws(Failure) -> Int {
    try read(text, .count(range), option)
  }

  /// What is said of a bad value.
  static func bad(_ option: String, _ reason: String, advice: Advice? = nil) -> Failure {
    Failure(.usage, option, reason, advice: advice)
  }

  /// What is said of a value that is none of a setting.
  static func bad(_ option: String, _ problem: SettingProblem) -> Failure {
    bad(option, problem.reason, advice: problem.advice)
  }

  /// Typed text as it may stand in a message.
  static func quote(_ text: String) -> String { SettingProblem.quote(text) }
}
