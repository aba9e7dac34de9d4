// Frames a `multipart/form-data` body (RFC 7578): part heads, boundary, end. The caller streams the contents between
// these.

/// The head of a part.
public struct MultipartHead: Sendable, Equatable {
  /// The name of the field.
  public var name: String
  /// The name of the file; `nil` for a part that is not a file.
  public var fileName: String?
  /// The media type; `nil` sends no type, which means text (RFC 7578 §4.4).
  public var contentType: String?
  /// Additional fields of the head.
  public var headers: [HeaderField]

  /// Creates a head.
  public init(name: String, fileName: String? = nil, contentType: String? = nil, headers: [HeaderField] = []) {
    self.name = name
    self.fileName = fileName
    self.contentType = contentType
    self.headers = headers
  }
}

/// The text around the contents of one body.
package struct MultipartFraming: Sendable, Equatable {
  /// The separator between the parts (RFC 2046 §5.1.1), with 128 random bits, so that no content contains it by
  /// accident.
  package let boundary: String

  /// Chooses a boundary.
  package init(using generator: inout some RandomNumberGenerator) {
    func hex(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    boundary = "------------------------dray" + hex(generator.next()) + hex(generator.next())
  }

  /// The `Content-Type` of the whole body.
  package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// Returns the bytes before the content of a part.
  package func opening(_ head: MultipartHead) -> [UInt8] {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartFraming.escaped(head.name))\""
    if let fileName = head.fileName { text += "; filename=\"\(MultipartFraming.escaped(fileName))\"" }
    text += "\r\n"
    if let type = head.contentType { text += "Content-Type: \(type)\r\n" }
    for field in head.headers { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// The bytes after the content of each part.
  package var afterPart: [UInt8] { [0x0D, 0x0A] }

  /// The end of the body.
  package var closing: [UInt8] { Array("--\(boundary)--\r\n".utf8) }

  /// Writes a name as browsers do (HTML Standard §4.10.22.7). Quotes and line ends are percent-encoded; otherwise they
  /// would end the parameter or the line.
  static func escaped(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": result.append(contentsOf: "%22".unicodeScalars)
      case "\r": result.append(contentsOf: "%0D".unicodeScalars)
      case "\n": result.append(contentsOf: "%0A".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
