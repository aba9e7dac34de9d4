// The text forms of values, such as numbers, rates and times, each defined once for all uses.

/// The JSON type of a setting's value.
package enum SettingShape: Sendable, CaseIterable {
  /// A string.
  case string
  /// `true` or `false`.
  case boolean
  /// A whole number.
  case integer
  /// A whole number, or an array of whole numbers.
  case integers
  /// An array of strings.
  case strings
  /// An object whose values are strings.
  case object
}

/// How a value is read from a text and written as a text.
package struct SettingForm<Value: Sendable & Equatable>: Sendable {
  let shape: SettingShape
  /// The valid numbers; `nil` if the value is not a number.
  var range: ClosedRange<Int64>?
  let parse: @Sendable (String, SettingContext) throws(SettingProblem) -> Value
  let text: @Sendable (Value) -> String
  /// Returns the value as messages show it.
  var shown: @Sendable (Value) -> String

  init(
    _ shape: SettingShape = .string, text: @escaping @Sendable (Value) -> String,
    shown: (@Sendable (Value) -> String)? = nil,
    parse: @escaping @Sendable (String, SettingContext) throws(SettingProblem) -> Value
  ) {
    (self.shape, self.parse, self.text, self.shown) = (shape, parse, text, shown ?? text)
  }

  /// Parses a value.
  package func value(of text: String, _ context: SettingContext = .fixed) throws(SettingProblem) -> Value {
    try parse(text, context)
  }

  static func described<Result, Thrown: ParseError>(
    _ parse: () throws(Thrown) -> Result
  ) throws(SettingProblem) -> Result {
    do throws(Thrown) { return try parse() } catch { throw SettingProblem(error.message) }
  }
}

extension SettingForm where Value == Int {
  /// A whole number in a range.
  package static func count(_ range: ClosedRange<Int>) -> SettingForm {
    var form = SettingForm(.integer, text: { "\($0)" }) { (text, _) throws(SettingProblem) in
      if let number = Int(text), range.contains(number) { return number }
      throw SettingProblem(
        "\(SettingProblem.quote(text)) is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    form.range = Int64(range.lowerBound)...Int64(range.upperBound)
    return form
  }
}

extension SettingForm where Value == Int? {
  /// A whole number in a range, or `auto`.
  static func countOrAuto(_ range: ClosedRange<Int>) -> SettingForm {
    SettingForm(.integer, text: { number in number.map { "\($0)" } ?? "auto" }) {
      (text, context) throws(SettingProblem) in
      text == "auto" ? nil : try SettingForm<Int>.count(range).parse(text, context)
    }
  }
}

extension SettingForm where Value == Double {
  /// A duration in seconds.
  package static func seconds(mayBeZero: Bool = true) -> SettingForm {
    SettingForm(text: number, shown: spoken) { (text, _) throws(SettingProblem) in
      let seconds = try described { () throws(QuantityParseError) in try TimeSpan.parse(text) }
      guard mayBeZero || seconds > 0 else { throw SettingProblem("it must be greater than 0") }
      return seconds
    }
  }

  /// A start time in seconds since 1970.
  package static var start: SettingForm {
    SettingForm(text: { "@\($0)" }) { (text, context) throws(SettingProblem) in
      try described { () throws(QuantityParseError) in
        try DateText.parseStart(text, now: context.now, zone: context.zone)
      }
    }
  }

  /// Returns a number without `.0` at its end.
  @Sendable private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  /// Returns seconds in words: `30 s`, `1 h`.
  @Sendable private static func spoken(_ value: Double) -> String {
    value >= 3600 && value.truncatingRemainder(dividingBy: 3600) == 0
      ? "\(number(value / 3600)) h" : "\(number(value)) s"
  }
}

extension SettingForm where Value == Int64 {
  /// A rate in bytes per second.
  package static var rate: SettingForm {
    positive(ByteCount.parseRate, "a rate of 0 would never finish: write off for no limit")
  }

  /// The size of a file in bytes.
  package static var size: SettingForm {
    positive(ByteCount.parse, "a size of 0 would refuse every file: omit the option for no limit")
  }

  /// A plain number of bytes.
  package static var bytes: SettingForm {
    SettingForm(.integer, text: { "\($0)" }) { (text, _) throws(SettingProblem) in
      if let size = Int64(text), size >= 0 { return size }
      throw SettingProblem("\(SettingProblem.quote(text)) is not a number of bytes")
    }
  }

  private static func positive(
    _ parse: @escaping @Sendable (String) throws(QuantityParseError) -> Int64, _ zero: String
  ) -> SettingForm {
    SettingForm(text: { "\($0)" }) { (text, _) throws(SettingProblem) in
      let bytes = try described { () throws(QuantityParseError) in try parse(text) }
      guard bytes > 0 else { throw SettingProblem(zero) }
      return bytes
    }
  }
}

extension SettingForm where Value == Int64? {
  /// A rate in bytes per second, or `off` for no limit.
  package static var limit: SettingForm {
    SettingForm(text: { rate in rate.map { "\($0)" } ?? "off" }) { (text, context) throws(SettingProblem) in
      text == "off" ? nil : try SettingForm<Int64>.rate.parse(text, context)
    }
  }
}

extension SettingForm where Value == RequestPace? {
  /// A maximum number of requests in a time, or `off` for no limit.
  package static var pace: SettingForm {
    SettingForm(text: { pace in pace.map { "\($0)" } ?? "off" }) { (text, _) throws(SettingProblem) in
      if text == "off" { return nil }
      if let pace = RequestPace(text) { return pace }
      throw SettingProblem("\(SettingProblem.quote(text)) is not a pace", advice: "write 10/s, 30/m or 1/2s")
    }
  }
}

extension SettingForm where Value == TransferWindow? {
  /// The times of a window, or `off` for no window.
  package static var window: SettingForm {
    SettingForm(text: { window in window.map { "\($0)" } ?? "off" }) { (text, _) throws(SettingProblem) in
      text == "off" ? nil : try described { () throws(QuantityParseError) in try TransferWindow.parse(text) }
    }
  }
}

extension SettingForm where Value == String {
  /// A text for a header field.
  package static var fieldValue: SettingForm {
    SettingForm(text: { $0 }) { (text, _) throws(SettingProblem) in
      guard FieldRule.isValue(text) else { throw SettingProblem("it contains a control character: remove it") }
      return text
    }
  }

  /// An interface, or several.
  static var interfaces: SettingForm {
    SettingForm(text: { $0 }) { (text, context) throws(SettingProblem) in
      let text = try fieldValue.parse(text, context)
      if let objection = TransferRequest.objection(toInterfaces: text) { throw SettingProblem(objection) }
      return text.contains(",") ? TransferRequest.interfaces(in: text).joined(separator: ",") : text
    }
  }

  /// The name of a queue.
  package static var queue: SettingForm {
    SettingForm(text: { $0 }) { (text, _) throws(SettingProblem) in
      if let objection = QueueName.objection(to: text) { throw SettingProblem(objection) }
      return text
    }
  }

  static var text: SettingForm { SettingForm(text: { $0 }) { (text, _) throws(SettingProblem) in text } }

  /// The URL of a proxy; `off`, or an empty text, means no proxy.
  static var proxy: SettingForm {
    SettingForm(text: { $0.isEmpty ? "off" : $0 }) { (text, _) throws(SettingProblem) in
      text == "off" ? "" : try ProxyAddress.parse(text)
    }
  }

  static var hostKey: SettingForm {
    SettingForm(text: { $0 }) { (text, _) throws(SettingProblem) in
      if let key = SchemeOptions.hostKey(text) { return key }
      throw SettingProblem(
        "\(SettingProblem.quote(text)) is not a SHA-256 in base64",
        advice: "`ssh-keygen -l -f KEY.pub` prints it after SHA256:")
    }
  }
}

extension SettingForm where Value == [String] {
  /// As in curl's `--proto`: `=https`, `-ftp`, `=http,https`.
  static var schemes: SettingForm {
    SettingForm(text: { "=" + $0.joined(separator: ",") }) { (text, _) throws(SettingProblem) in
      let all = Scheme.all.map(\.name)
      var allowed = Set(all)
      for item in text.lowercased().split(separator: ",") {
        let word = String(item.trimmingSpaces())
        let name = word.drop { "=+-".contains($0) }
        let names: Set<String> = name == "all" ? Set(all) : [String(name)]
        if word.hasPrefix("=") {
          allowed = names
        } else if word.hasPrefix("-") {
          allowed.subtract(names)
        } else {
          allowed.formUnion(names)
        }
      }
      // All other names are schemes that only curl has; drop them.
      let known = all.filter { allowed.contains($0) }
      guard !known.isEmpty else {
        throw SettingProblem("\(SettingProblem.quote(text)) allows no scheme", advice: "write =https, or =http,https")
      }
      return known
    }
  }
}

extension SettingForm where Value == DigestValue {
  /// `ALGORITHM=DIGEST`.
  package static var digest: SettingForm {
    SettingForm(text: { $0.description }) { (text, _) throws(SettingProblem) in
      try described { () throws(DigestParseError) in try DigestValue.parse(text) }
    }
  }
}

extension SettingForm where Value == ExpectedType {
  /// A media type.
  package static var type: SettingForm {
    SettingForm(text: { $0.description }) { (text, _) throws(SettingProblem) in
      if let type = ExpectedType(text) { return type }
      throw SettingProblem(
        "\(SettingProblem.quote(text)) is not a media type", advice: "write application/zip or image/*")
    }
  }
}

extension SettingForm where Value == StatusPattern {
  /// An error status, or a class of error statuses.
  package static var status: SettingForm {
    SettingForm(text: { $0.description }) { (text, _) throws(SettingProblem) in
      if let status = StatusPattern(text) { return status }
      throw SettingProblem(
        "\(SettingProblem.quote(text)) is not a status of an error",
        advice: "write 403, or 4xx or 5xx for all of a class")
    }
  }
}

extension SettingForm where Value == RequestURL {
  /// Another URL of the same file.
  package static var mirror: SettingForm {
    SettingForm(text: { $0.string }) { (text, _) throws(SettingProblem) in
      do throws(URLParseError) { return try RequestURL.parse(text).url } catch {
        throw SettingProblem("a mirror: \(error.message)")
      }
    }
  }
}

extension SettingForm where Value == FixedAddress {
  /// `HOST:PORT:ADDRESS`.
  static var address: SettingForm {
    SettingForm(
      text: { "\($0.host.isEmpty ? "*" : $0.host):\($0.port.map { "\($0)" } ?? "*"):\($0.address)" }
    ) { (text, _) throws(SettingProblem) in
      if let address = FixedAddress(text) { return address }
      throw SettingProblem(
        "\(SettingProblem.quote(text)) is not HOST:PORT:ADDRESS", advice: "write example.org:443:192.0.2.1")
    }
  }
}

extension SettingForm where Value == JobID {
  /// The number of a job.
  package static var id: SettingForm {
    SettingForm(.integers, text: { "\($0)" }) { (text, _) throws(SettingProblem) in
      if let id = JobID(text), id > 0 { return id }
      throw SettingProblem("\(SettingProblem.quote(text)) is not an id: ids are the numbers that `dray list` shows")
    }
  }
}

extension SettingForm where Value: RawRepresentable<String> & CaseIterable {
  static var word: SettingForm {
    SettingForm(text: { $0.rawValue }) { (text, _) throws(SettingProblem) in
      if let word = Value(rawValue: text) { return word }
      let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingProblem("\(SettingProblem.quote(text)) is not one of \(words)")
    }
  }
}
