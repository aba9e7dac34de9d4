// The Content-Range field (RFC 9110 §14.4): which bytes a 206 holds, or how many there are where a 416 has none.

/// Why a `Content-Range` cannot be used.
public struct ContentRangeError: ParseError, Sendable {
  /// One line.
  public let message: String
}

/// A `Content-Range` in bytes.
public enum ContentRange: Hashable, Sendable {
  /// Bytes `[lower, upper)` of a file of `total` bytes; `nil` where the server does not know how many.
  case range(lower: Int64, upper: Int64, total: Int64?)
  /// The file has `total` bytes, and not those asked for.
  case unsatisfied(total: Int64)

  /// Reads the field from all its values in one answer; `nil` where there is none.
  ///
  /// Nothing is guessed: a field that is almost right puts bytes into the wrong place.
  ///
  /// - Throws: ``ContentRangeError``.
  public static func parse(_ values: [String]) throws(ContentRangeError) -> ContentRange? {
    guard let text = values.first else { return nil }
    guard values.count == 1 else { throw ContentRangeError(message: "Content-Range came \(values.count) times") }

    let bytes = Array(text.utf8).trimmingBlanks
    let parts = bytes.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
    guard let unit = parts.first, unit.map(\.lowercased).elementsEqual("bytes".utf8) else {
      throw malformed(text, "its unit is not bytes")
    }
    let halves = parts.dropFirst().joined().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw malformed(text, "it is not FIRST-LAST/TOTAL") }

    let total = halves[1].elementsEqual([star]) ? nil : try number(halves[1], in: text)
    if halves[0].elementsEqual([star]) {
      guard let total else { throw malformed(text, "it names neither range nor total") }
      return .unsatisfied(total: total)
    }
    let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2 else { throw malformed(text, "it is not FIRST-LAST/TOTAL") }
    let (first, last) = (try number(ends[0], in: text), try number(ends[1], in: text))
    guard first <= last else { throw malformed(text, "it ends before it starts") }
    guard last < total ?? .max else { throw malformed(text, "it ends after the end of the file") }
    return .range(lower: first, upper: last + 1, total: total)
  }

  private static let star = UInt8(ascii: "*")

  private static func number(_ bytes: some Collection<UInt8>, in text: String) throws(ContentRangeError) -> Int64 {
    switch DecimalDigits(bytes) {
    case .value(let value): return value
    case .overflow: throw malformed(text, "a number in it is too large")
    case .malformed: throw malformed(text, "it is not FIRST-LAST/TOTAL")
    }
  }

  private static func malformed(_ text: String, _ reason: String) -> ContentRangeError {
    ContentRangeError(message: "Content-Range \(quoted(text)) is wrong: \(reason)")
  }
}

/// The one range that a 206 brings.
struct AnswerPart: Equatable {
  /// What is known of the length of a body that says which bytes it brings.
  enum Length: Equatable {
    /// `Content-Length` frames it, and agrees with `Content-Range`.
    case proved
    /// Its framing does not tell before its end: chunks, HTTP/2 without a length, the end of the connection.
    case unknown
    /// `Content-Length` says another number of bytes: it cannot be what `Content-Range` says.
    case contradicted(Int64)
  }

  /// Its bytes, by `Content-Range`.
  let range: Segment
  /// The length of the file, where the server knows it.
  let total: Int64?
  let length: Length

  /// Bytes of a part that are taken before it is known to be one: they do not count before its end, so a crash loses them.
  static let withheldMost: Int64 = 8 << 20

  /// Why nothing proves that these bytes belong where they say, as a clause; `nil` where they may be taken.
  /// - Parameters:
  ///   - isCompared: whether bytes at its beginning are compared with those on disk.
  ///   - isWithheld: whether none of it counts before its end has come.
  func doubt(isCompared: Bool, isWithheld: Bool = false) -> String? {
    switch length {
    case .proved: nil
    case .unknown:
      isCompared || isWithheld && range.upperBound - range.lowerBound <= AnswerPart.withheldMost
        ? nil : "nothing tells how long its body is"
    case .contradicted(let length):
      "its Content-Range has \(range.upperBound - range.lowerBound) bytes, its Content-Length says \(length)"
    }
  }
}

extension ResponseHead {
  /// The bytes that a 206 says it brings; `nil` where this is none that can be used. A body that goes on past them is
  /// none of them (R9).
  public var partRange: Segment? { status == 206 ? (try? part())?.range : nil }

  /// Whether only the end of a 206 tells how long its body is, so that it cannot be counted before.
  public var isPartOfUnknownLength: Bool {
    guard status == 206, let part = try? part() else { return false }
    return part.length == .unknown
  }

  /// Whether a 206 brings all of the file.
  var isWholePart: Bool {
    guard status == 206, let part = try? part(), let total = part.total else { return false }
    return part.range == 0..<total
  }

  /// The bytes that a 206 brings: one range of the file as it is, neither compressed nor one of several (RFC 9110 §15.3.7),
  /// in a body whose end is beyond doubt.
  /// - Throws: ``ContentRangeError``: why it cannot be used.
  func part() throws(ContentRangeError) -> AnswerPart {
    guard contentCodings.isEmpty else { throw ContentRangeError(message: "it is compressed") }
    if all("content-type").contains(where: { $0.lowercased().hasPrefix("multipart/byteranges") }) {
      throw ContentRangeError(message: "it is multipart/byteranges")
    }
    var length: Int64?
    if !hasTransferEncoding {
      do throws(ContentLengthError) { length = try ContentLength.parse(all("content-length")) } catch {
        throw ContentRangeError(message: error.message)
      }
    }
    guard case .range(let lower, let upper, let total)? = try ContentRange.parse(all("content-range")) else {
      throw ContentRangeError(message: "Content-Range is missing")
    }
    let proof: AnswerPart.Length =
      switch length {
      case nil: .unknown
      case upper - lower: .proved
      case let length?: .contradicted(length)
      }
    return AnswerPart(range: lower..<upper, total: total, length: proof)
  }
}
