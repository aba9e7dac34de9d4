// What the values of aria2's options look like, and how aria2 gives them back.

internal import DrayCore

/// The values that an option may have.
enum OptionForm: Sendable, Equatable {
  case text
  /// `true` or `false`.
  case boolean
  /// `true` or `false`, of which dray can only do this.
  case only(Bool)
  case integer(ClosedRange<Int64>)
  /// A number of bytes, where `K` and `M` stand for 1024 and its square.
  case size(ClosedRange<Int64>)
  /// A number that may have a point.
  case decimal
  case choice([String])
  /// Lines, one for each time that it is given.
  case lines
  /// `ALGORITHM=HEX`.
  case digest
  /// A proxy, or nothing.
  case proxy

  /// A value as aria2 keeps it; `nil` for one that it refuses.
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

  /// `[http://][USER:PASSWORD@]HOST[:PORT]`
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
