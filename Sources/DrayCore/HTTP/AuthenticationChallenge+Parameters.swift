// Reads the parameters of challenges (RFC 9110 §11.3), such as the address of a registry's token server.

extension AuthenticationChallenge {
  /// A challenge with its parameters.
  public struct Item: Sendable, Equatable {
    /// The scheme in lowercase.
    public var scheme: String
    /// The parameters by their names in lowercase. If a name repeats, its first value counts.
    public var parameters: [String: String]

    /// Creates a challenge.
    public init(scheme: String, parameters: [String: String] = [:]) {
      (self.scheme, self.parameters) = (scheme, parameters)
    }
  }

  /// The largest number of elements that are read.
  private static let elementLimit = 100

  /// Returns the challenges of `WWW-Authenticate` fields, in order. A challenge with a token instead of parameters has no
  /// parameters. The texts are not escaped.
  public static func items(_ fields: [String]) -> [Item] {
    var items: [Item] = []
    for element in fields.lazy.flatMap(ListField.elements).prefix(elementLimit) {
      let word = element.prefix { $0 != " " && $0 != "\t" && $0 != "=" }
      let rest = element[word.endIndex...].trimmingSpaces()
      guard !word.isEmpty else { continue }
      if rest.first == "=" {
        if !items.isEmpty { add(element, to: &items[items.count - 1]) }
      } else {
        items.append(Item(scheme: word.lowercased()))
        add(rest, to: &items[items.count - 1])
      }
    }
    return items
  }

  /// Adds `name=value` or `name="value"`; any other text is ignored.
  private static func add(_ text: Substring, to item: inout Item) {
    guard let mark = text.firstIndex(of: "=") else { return }
    let name = text[..<mark].trimmingSpaces().lowercased()
    let value = text[text.index(after: mark)...].trimmingSpaces()
    guard !name.isEmpty, item.parameters[name] == nil else { return }
    item.parameters[name] = value.first == "\"" ? unquoted(value) : String(value)
  }

  private static func unquoted(_ text: Substring) -> String {
    var value = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        value.append(character)
      }
    }
    return value
  }
}
