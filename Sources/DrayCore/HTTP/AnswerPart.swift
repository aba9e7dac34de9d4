// The part of a file in a 206.

/// The one range of a 206.
struct AnswerPart: Equatable {
  /// What is known of the length of a partial body.
  enum Length: Equatable {
    /// `Content-Length` frames it, and agrees with `Content-Range`.
    case proved
    /// Its framing shows it only at its end: chunks, HTTP/2 without a length, the end of the connection.
    case unknown
    /// `Content-Length` says another number of bytes: it cannot be what `Content-Range` says.
    case contradicted(Int64)
  }

  /// Its bytes, by `Content-Range`.
  let range: Range<Int64>
  /// The length of the file, where the server knows it.
  let total: Int64?
  let length: Length

  /// Bytes of a part that are accepted before its length is known: they do not count before its end, so a crash loses them.
  static let withheldMost: Int64 = 8 << 20

  /// Why nothing proves that these bytes belong to their range, as a clause; `nil` if they may be used.
  /// - Parameters:
  ///   - isCompared: whether bytes at its beginning are compared with those on disk.
  ///   - isWithheld: whether none of it counts before its end has come.
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
  /// The bytes that a 206 says it brings; `nil` if it says nothing that can be used. What a body
  /// brings beyond them does not count (R9).
  public var partRange: Range<Int64>? { status == 206 ? (try? part())?.range : nil }

  /// Whether only the end of a 206 shows how long its body is, so that it cannot be counted before.
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
