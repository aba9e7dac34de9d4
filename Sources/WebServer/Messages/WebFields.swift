// The fields of requests and answers.

/// HTTP fields in order (RFC 9110 §5). Names are compared ignoring case.
public struct WebFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public private(set) var list: [WebField]

  public init(_ list: [WebField] = []) { self.list = list }

  public init(dictionaryLiteral elements: (String, String)...) { list = elements.map { WebField($0, $1) } }

  /// The value of the first field with a name. Setting it replaces all of them; `nil` removes them.
  public subscript(name: String) -> String? {
    get { list.first { $0.isNamed(name) }?.value }
    set {
      list.removeAll { $0.isNamed(name) }
      if let newValue { list.append(WebField(name, newValue)) }
    }
  }

  public func all(_ name: String) -> [String] { list.filter { $0.isNamed(name) }.map(\.value) }

  public mutating func add(_ name: String, _ value: String) { list.append(WebField(name, value)) }

  /// Whether a list in the fields with this name contains the token, ignoring case (RFC 9110 §5.6.1).
  public func lists(_ token: String, in name: String) -> Bool {
    all(name).contains { value in
      value.split(separator: ",").contains { element in
        element.trimmingBlanks.utf8.isSame(as: token.utf8)
      }
    }
  }
}

/// The name has the sender's spelling, the value no surrounding white space.
public struct WebField: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  func isNamed(_ other: String) -> Bool { name.utf8.isSame(as: other.utf8) }
}

extension Collection<UInt8> {
  /// Whether the bytes are the same, ignoring the case of ASCII letters.
  func isSame(as other: some Collection<UInt8>) -> Bool {
    count == other.count && elementsEqual(other) { $0.lowercased == $1.lowercased }
  }
}

extension UInt8 {
  /// The lowercase form of an ASCII letter; any other byte unchanged.
  fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension String {
  /// The text without spaces and tabs at both ends. Nearly all values have none there, and are not copied.
  var trimmed: String {
    let isTrimmed = !(utf8.first?.isBlank ?? false) && !(utf8.last?.isBlank ?? false)
    return isTrimmed ? self : String(self[...].trimmingBlanks)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension Substring {
  /// The text without spaces and tabs at both ends (RFC 9110 §5.6.3).
  var trimmingBlanks: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start }
    return start[...last]
  }
}
