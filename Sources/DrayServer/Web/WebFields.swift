// The fields of requests and answers.

/// Fields of HTTP in their order (RFC 9110 §5). Names are compared without regard to case.
public struct WebFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// Name and value of each.
  public private(set) var list: [WebField]

  /// Makes fields.
  public init(_ list: [WebField] = []) { self.list = list }

  /// Makes fields from names and values.
  public init(dictionaryLiteral elements: (String, String)...) { list = elements.map { WebField($0, $1) } }

  /// The value of the first field of that name. Setting it replaces all of them; nil removes them.
  public subscript(name: String) -> String? {
    get { list.first { $0.isNamed(name) }?.value }
    set {
      list.removeAll { $0.isNamed(name) }
      if let newValue { list.append(WebField(name, newValue)) }
    }
  }

  /// The values of all fields of that name, in their order.
  public func all(_ name: String) -> [String] { list.filter { $0.isNamed(name) }.map(\.value) }

  /// Adds a field, beside others of its name.
  public mutating func add(_ name: String, _ value: String) { list.append(WebField(name, value)) }

  /// Whether one of the lists in the fields of that name contains the token, in any case (RFC 9110 §5.6.1).
  public func lists(_ token: String, in name: String) -> Bool {
    all(name).contains { value in
      value.split(separator: ",").contains { element in
        element.utf8.trimmingBlanks.elementsEqual(token.utf8) { $0.lowercased == $1.lowercased }
      }
    }
  }
}

/// A field: its name in the spelling of its sender, and its value without the white space around it.
public struct WebField: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  func isNamed(_ other: String) -> Bool {
    name.utf8.count == other.utf8.count && name.utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
  }
}
