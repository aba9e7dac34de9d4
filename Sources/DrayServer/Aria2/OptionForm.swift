// The syntax of option values, and the form in which aria2 returns such values.

internal import DrayCore

enum OptionForm: Sendable, Equatable {
  case text
  case boolean
  /// One of the values `true` and `false`: the only one that dray supports.
  case only(Bool)
  case integer(ClosedRange<Int64>)
  /// A number of bytes. The suffixes `K` and `M` mean 1024 and 1024².
  case size(ClosedRange<Int64>)
  /// A number with an optional decimal point.
  case decimal
  case choice([String])
  /// Lines of text; each repetition of the option adds a line.
  case lines
  /// A digest as `ALGORITHM=HEX`.
  case digest
  /// The address of a proxy, or an empty text.
  case proxy

  /// Returns a value in aria2's form; `nil` if the value is invalid.
  func normal(_ text: String) -> String? {
    switch self {
    case .text: text
    case .boolean: text == "true" || text == "false" ? text : nil
    case .only(let flag): text == "\(flag)" ? text : nil
    case .integer(let range): Int64(text).flatMap { range.contains($0) ? "\($0)" : nil }
    case .size(let range): OptionForm.bytes(text).flatMap { range.contains($0) ? "\($0)" : nil }
    case .decimal: Double(text).flatMap { $0.isFinite && $0 >= 0 ? text : nil }
    case .choice(let words): words.contains(text) ? text : nil
    case .lines: text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    case .digest: (try? DigestValue.parse(text))?.description
    case .proxy: OptionForm.proxy(text)
    }
  }

  private static func bytes(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20]
    let unit = text.last.flatMap { units[Character($0.lowercased())] }
    guard let number = Int64(unit == nil ? text : String(text.dropLast())), number >= 0 else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
    return overflows ? nil : bytes
  }

  /// Returns a proxy as `[http://][USER:PASSWORD@]HOST[:PORT]`, in aria2's form; `nil` if the text is invalid.
  private static func proxy(_ text: String) -> String? {
    guard !text.isEmpty else { return "" }
    let full = text.contains("://") ? text : "http://\(text)"
    guard let url = try? RequestURL.parse(full).url, url.scheme.hasPrefix("http"), url.path == "/", url.query == nil
    else {
      return nil
    }
    return text
  }
}
