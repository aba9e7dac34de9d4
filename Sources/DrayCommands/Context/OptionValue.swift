// Parses the values of options. An error names the option, the problem and the remedy.

internal import DrayKit
internal import Threads

extension SettingContext {
  /// The present time and time zone.
  static var current: SettingContext { SettingContext(now: WallClock.now(), zone: .current) }
}

enum OptionValue {
  static func read<Value>(_ text: String, _ form: SettingForm<Value>, _ option: String) throws(Failure) -> Value {
    do throws(SettingProblem) { return try form.value(of: text, .current) } catch { throw bad(option, error) }
  }

  /// Returns the size of a file in bytes.
  static func size(_ text: String, _ option: String) throws(Failure) -> Int64 { try read(text, .size, option) }

  static func rateRule(_ text: String, _ option: String) throws(Failure) -> RateRule {
    do throws(QuantityParseError) { return try RateRule.parse(text) } catch { throw bad(option, error.message) }
  }

  /// Returns the ids of jobs from lists that are separated by commas; each id once.
  static func ids(_ texts: [String], _ option: String) throws(Failure) -> [JobID] {
    var ids: [JobID] = []
    for word in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let id = try read(String(word.trimmingSpaces()), .id, option)
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  static func seconds(_ text: String, _ option: String, mayBeZero: Bool = true) throws(Failure) -> Double {
    try read(text, .seconds(mayBeZero: mayBeZero), option)
  }

  /// Returns a whole number that must lie in a range.
  static func count(_ text: String, _ option: String, _ range: ClosedRange<Int>) throws(Failure) -> Int {
    try read(text, .count(range), option)
  }

  /// Parses the place of an object store.
  /// - Throws: Kind `usage` with the name of the option.
  static func object<Value>(_ option: String, _ parse: () throws(ObjectPlaceError) -> Value) throws(Failure) -> Value {
    do throws(ObjectPlaceError) { return try parse() } catch {
      throw OptionValue.bad(option, error.reason, advice: error.advice)
    }
  }

  static func bad(_ option: String, _ reason: String, advice: Advice? = nil) -> Failure {
    Failure(.usage, option, reason, advice: advice)
  }

  static func bad(_ option: String, _ problem: SettingProblem) -> Failure {
    bad(option, problem.reason, advice: problem.advice)
  }

  static func quote(_ text: String) -> String { SettingProblem.quote(text) }
}
