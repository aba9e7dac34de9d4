// JSON as a tree that knows its lines, so that an error can name the place (RFC 8259).

/// A value of a JSON text, and the line that it begins in.
public struct JSONNode: Sendable, Equatable {
  /// A member of an object.
  public struct Member: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONNode
  }

  /// What a value is.
  public enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members in their order; no two have the same name.
    case object([Member])
  }

  /// The value.
  public var value: Value
  /// The line, from 1 on.
  public var line: Int

  /// The text, if it is a string.
  public var string: String? { if case .string(let text) = value { text } else { nil } }
  /// The integer, if it is one.
  public var integer: Int64? { if case .number(let digits) = value { Int64(digits) } else { nil } }
  /// The elements, if it is an array.
  public var array: [JSONNode]? { if case .array(let elements) = value { elements } else { nil } }
  /// The members, if it is an object.
  public var object: [Member]? { if case .object(let members) = value { members } else { nil } }
  /// The member of an object.
  public subscript(name: String) -> JSONNode? { object?.first { $0.name == name }?.value }

  /// `{}`, as where nothing was said.
  public static let emptyObject = JSONNode(value: .object([]), line: 1)

  /// What it is, with its article, for errors.
  public var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Reads a JSON text.
  /// - Parameters:
  ///   - kind: the expected kind of document, with its article.
  ///   - line: the number of its first line.
  /// - Throws: ``DocumentError`` with line and column for what is not JSON, is nested more than 64 deep, or names a member
  ///   twice.
  public static func parse(_ bytes: some Sequence<UInt8>, kind: String, line: Int = 1) throws(DocumentError) -> JSONNode
  {
    var reader = JSONReader(Array(bytes), kind: kind, line: line)
    return try reader.document()
  }

  /// Checks that a text is JSON, whatever it is for: names may occur twice, and values be nested 512 deep.
  /// - Throws: as ``parse(_:kind:line:)``.
  public static func check(_ bytes: some Sequence<UInt8>, kind: String) throws(DocumentError) {
    var reader = JSONReader(Array(bytes), kind: kind, line: 1)
    (reader.depthLimit, reader.mayRepeatNames) = (512, true)
    _ = try reader.document()
  }
}
