// JSON as a tree with line numbers for errors (RFC 8259).

package struct JSONNode: Sendable, Equatable {
  package struct Member: Sendable, Equatable {
    package var name: String
    package var value: JSONNode
  }

  package enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as written.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// In order. No two have the same name.
    case object([Member])
  }

  package var value: Value
  package var line: Int

  package var string: String? { if case .string(let text) = value { text } else { nil } }
  /// May be written as `1.0` or `1e0`; `nil` for any other value.
  package var integer: Int64? {
    guard case .number(let digits) = value else { return nil }
    return Int64(digits) ?? JSONNode.whole(digits)
  }
  package var array: [JSONNode]? { if case .array(let elements) = value { elements } else { nil } }
  package var object: [Member]? { if case .object(let members) = value { members } else { nil } }
  package subscript(name: String) -> JSONNode? { object?.first { $0.name == name }?.value }

  package static let emptyObject = JSONNode(value: .object([]), line: 1)

  /// With its article, for errors.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// - Parameters:
  ///   - kind: The expected kind of document, with its article.
  ///   - line: The number of the first line.
  /// - Throws: ``DocumentError`` with line and column if the text is not JSON, is nested more than 64 deep, or repeats
  ///   a name.
  package static func parse(_ bytes: some Sequence<UInt8>, kind: String, line: Int = 1) throws(DocumentError)
    -> JSONNode
  {
    var reader = JSONReader(Array(bytes), kind: kind, line: line)
    return try reader.document()
  }

  /// Returns the value of a number with a point or an exponent if it is whole, and small enough that a double is exact.
  /// JSON has one kind of number (RFC 8259 §6), and some libraries write all of them with a point.
  private static func whole(_ digits: String) -> Int64? {
    guard let number = Double(digits), number.magnitude <= 9_007_199_254_740_992 else { return nil }
    return Int64(exactly: number)
  }

  /// Checks that a text is JSON for any purpose: names may repeat, and values may be nested 512 deep.
  /// - Throws: ``DocumentError``, as ``parse(_:kind:line:)`` does.
  package static func check(_ bytes: some Sequence<UInt8>, kind: String) throws(DocumentError) {
    var reader = JSONReader(Array(bytes), kind: kind, line: 1)
    (reader.depthLimit, reader.mayRepeatNames) = (512, true)
    _ = try reader.document()
  }
}
