/// The single range of a 206 answer.
struct AnswerPart: Equatable {
  enum Length: Equatable {
    /// `Content-Length` frames the body and agrees with `Content-Range`.
    case proved
    /// Only the end of the body shows the length: it is chunked, comes over HTTP/2 without a length, or ends with the
    /// connection.
    case unknown
    /// `Content-Length` contradicts `Content-Range`, and names this number of bytes.
    case contradicted(Int64)
  }

  /// The range in `Content-Range`.
  let range: Range<Int64>
  /// The length of the file, if the server knows it.
  let total: Int64?
  let length: Length

  /// The maximum length of a part whose length is unknown until its end. Its bytes do not count before that, and a
  /// crash loses them.
  static let withheldMost: Int64 = 8 << 20

  /// Returns why the bytes may not belong to their range, as a clause; `nil` if they may be used.
  /// - Parameters:
  ///   - isCompared: Whether the first bytes are compared with bytes on disk.
  ///   - isWithheld: Whether no byte will count before the end of the part.
  func doubt(isCompared: Bool, isWithheld: Bool = false) -> String? {
    switch length {
    case .proved: nil
    case .unknown:
      isCompared || isWithheld && range.upperBound - range.lowerBound <= AnswerPart.withheldMost
        ? nil : "the length of its body is unknown"
    case .contradicted(let length):
      "its Content-Range has \(range.upperBound - range.lowerBound) bytes, its Content-Length says \(length)"
    }
  }
}

extension ResponseHead {
  /// The range of bytes that a 206 declares; `nil` without a usable range. Bytes of the body beyond this range do not
  /// count (R9).
  public var partRange: Range<Int64>? { status == 206 ? (try? part())?.range : nil }

  /// Whether only the end of a 206's body shows the length, so that no byte can count before.
  public var isPartOfUnknownLength: Bool {
    guard status == 206, let part = try? part() else { return false }
    return part.length == .unknown
  }

  /// Whether a 206 contains the whole file.
  var isWholePart: Bool {
    guard status == 206, let part = try? part(), let total = part.total else { return false }
    return part.range == 0..<total
  }

  /// The part in a 206: a single range, not compressed (RFC 9110 §15.3.7).
  /// - Throws: ``ContentRangeError`` if the part is unusable.
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
