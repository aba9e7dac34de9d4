// Values of options as numbers; errors name the option, what was wrong and what would be right.

internal import DrayKit
internal import Threads

enum OptionValue {
  /// The priorities that a job may have.
  static let priorities = -1_000_000...1_000_000

  /// Bytes a second.
  static func rate(_ text: String, _ option: String) throws(Failure) -> Int64 {
    do throws(QuantityParseError) {
      let rate = try ByteCount.parse(text)
      if rate > 0 { return rate }
    } catch {
      throw bad(option, error.message)
    }
    throw bad(option, "a rate of 0 would never finish: write off for no limit")
  }

  /// The same, or `off` for no limit.
  static func limit(_ text: String, _ option: String) throws(Failure) -> Int64? {
    text == "off" ? nil : try rate(text, option)
  }

  /// The size of a file, in bytes.
  static func size(_ text: String, _ option: String) throws(Failure) -> Int64 {
    do throws(QuantityParseError) {
      let size = try ByteCount.parse(text)
      if size > 0 { return size }
    } catch {
      throw bad(option, error.message)
    }
    throw bad(option, "a size of 0 would refuse every file: omit the option for no limit")
  }

  /// A rate, or a timetable of rates.
  static func rateRule(_ text: String, _ option: String) throws(Failure) -> RateRule {
    do throws(QuantityParseError) { return try RateRule.parse(text) } catch { throw bad(option, error.message) }
  }

  /// A time to begin at, in seconds since 1970.
  static func start(_ text: String, _ option: String) throws(Failure) -> Double {
    do throws(QuantityParseError) {
      return try DateText.parseStart(text, now: WallClock.now(), zone: .current)
    } catch {
      throw bad(option, error.message)
    }
  }

  /// Ids of jobs, in lists with commas.
  static func ids(_ texts: [String], _ option: String) throws(Failure) -> [JobID] {
    var ids: [JobID] = []
    for word in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard let id = JobID(word.trimmingSpaces()), id > 0 else {
        throw bad(option, "\(quote(String(word))) is not an id: ids are the numbers that `dray list` shows")
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Seconds.
  static func seconds(_ text: String, _ option: String, mayBeZero: Bool = true) throws(Failure) -> Double {
    do throws(QuantityParseError) {
      let seconds = try TimeSpan.parse(text)
      if mayBeZero || seconds > 0 { return seconds }
    } catch {
      throw bad(option, error.message)
    }
    throw bad(option, "it must be greater than 0")
  }

  /// A whole number in a range.
  static func count(_ text: String, _ option: String, _ range: ClosedRange<Int>) throws(Failure) -> Int {
    if let number = Int(text), range.contains(number) { return number }
    throw bad(
      option, "\(quote(text)) is not a number from \(range.lowerBound) to \(range.upperBound)")
  }

  /// The digest that a file must have.
  static func digest(_ text: String, _ option: String) throws(Failure) -> DigestValue {
    do throws(DigestParseError) { return try DigestValue.parse(text) } catch { throw bad(option, error.message) }
  }

  /// A media type to expect.
  static func type(_ text: String, _ option: String) throws(Failure) -> ExpectedType {
    guard let type = ExpectedType(text) else {
      throw bad(option, "\(quote(text)) is not a media type", advice: "write application/zip or image/*")
    }
    return type
  }

  /// Media types, in lists with commas; `nil` for none.
  static func types(_ texts: [String], _ option: String) throws(Failure) -> [ExpectedType]? {
    let words = texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let types = try words.map { (word) throws(Failure) in try type(String(word.trimmingSpaces()), option) }
    return types.isEmpty ? nil : types
  }

  /// What is said of a bad value.
  static func bad(_ option: String, _ reason: String, advice: Advice? = nil) -> Failure {
    Failure(.usage, option, reason, advice: advice)
  }

  /// Typed text as it may stand in a message.
  static func quote(_ text: String) -> String {
    "\"\(TextSafety.escaped(text.start(80)))\(text.unicodeScalars.count > 80 ? "…" : "")\""
  }
}
