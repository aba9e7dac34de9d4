// Values that several suites share.

import DrayCore

extension ResponseHead {
  /// A head in shorthand: `ResponseHead(206, "ETag: \"v1\"", …)`.
  init(_ status: Int, _ lines: String...) { self.init(status, lines) }

  /// The same with a list of lines.
  init(_ status: Int, _ lines: [String]) {
    self.init(
      status: status,
      fields: lines.map { line in
        let parts = line.split(separator: ":", maxSplits: 1).map { String($0.trimmingSpaces()) }
        return HeaderField(parts[0], parts.count > 1 ? parts[1] : "")
      })
  }
}

/// The URL of a valid text.
func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

extension CRC32C {
  /// The checksum of `count` zeros, by doubling.
  static func ofZeros(_ count: Int64) -> CRC32C {
    var (result, power, length) = (CRC32C(), CRC32C(of: [0]), Int64(1))
    while length <= count {
      if count & length != 0 { result = result.followed(by: power, CRC32C.Length(length)) }
      power = power.followed(by: power, CRC32C.Length(length))
      length *= 2
    }
    return result
  }
}

extension ResponseHead {
  /// The same head with the length of its part, if the head does not state how its body is framed.
  var framed: ResponseHead {
    guard status == 206, first("content-length") == nil, first("transfer-encoding") == nil,
      case .range(let lower, let upper, _)? = try? ContentRange.parse(all("content-range"))
    else { return self }
    var head = self
    head.fields.append(HeaderField("Content-Length", "\(upper - lower)"))
    return head
  }
}
