/// A link in a `Link` field (RFC 8288 §3), which may name a mirror (RFC 6249) or a description (Metalink) of the file.
public struct WebLink: Sendable, Equatable {
  /// The target as written, possibly relative to the URL that answered.
  public var target: String
  /// The relations, lowercase: `duplicate`, `describedby`.
  public var relations: [String]
  /// The other parameters in order. Their names are lowercase, and quotes are removed.
  public var parameters: [HeaderField]

  /// Creates a link.
  public init(_ target: String, relations: [String], parameters: [HeaderField] = []) {
    self.target = target
    self.relations = relations
    self.parameters = parameters
  }

  /// The maximum number of links read from an answer (P13).
  public static let limit = 256

  /// Returns the value of the first parameter with this name.
  package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The media type of the target, lowercase and without parameters.
  public var mediaType: String? { parameter("type").map { MediaType($0).essence } }

  /// The priority of a mirror, 1 is the best (RFC 6249 §3.1); `nil` if none is given, which ranks last.
  public var priority: Int? {
    parameter("pri").flatMap(Int.init).flatMap { (1...999_999).contains($0) ? $0 : nil }
  }

  /// Whether the server prefers this mirror (RFC 6249 §3.3).
  public var isPreferred: Bool { parameter("pref") != nil }

  /// Whether the target is a copy of the same file (RFC 6249 §3).
  public var isDuplicate: Bool { relations.contains("duplicate") }

  /// Whether the target describes the file, for example as Metalink (RFC 6249 §4).
  public var isDescription: Bool { relations.contains("describedby") }

  /// Reads all links of an answer's `Link` fields (RFC 8288 Appendix B). Skips links about another resource (`anchor`)
  /// and links without a relation. A syntax error ends the reading of its field.
  package static func parse(_ values: [String]) -> [WebLink] {
    var links: [WebLink] = []
    for value in values {
      var reader = LinkReader(value)
      while links.count < limit, let link = reader.next() {
        guard link.parameter("anchor") == nil, !link.relations.isEmpty else { continue }
        links.append(link)
      }
    }
    return links
  }
}

extension ResponseHead {
  /// The links of this answer.
  public var links: [WebLink] { WebLink.parse(all("link")) }
}

extension [WebLink] {
  /// The mirrors, best first: preferred ones before others, then by priority (RFC 6249 §3).
  public var duplicates: [WebLink] {
    enumerated().filter(\.element.isDuplicate).sorted { one, other in
      let (a, b) = (one.element, other.element)
      if a.isPreferred != b.isPreferred { return a.isPreferred }
      let (first, second) = (a.priority ?? .max, b.priority ?? .max)
      return first == second ? one.offset < other.offset : first < second
    }.map(\.element)
  }
}

private struct LinkReader {
  private var rest: Substring

  init(_ value: String) { rest = value[...] }

  mutating func next() -> WebLink? {
    rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
    guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
    let target = rest[rest.index(after: rest.startIndex)..<end].trimmingSpaces()
    rest = rest[rest.index(after: end)...]
    var relations: [String]?
    var parameters: [HeaderField] = []
    while let parameter = nextParameter() {
      if parameter.name == "rel" {
        // Only the first `rel` counts (RFC 8288 §3.3).
        relations = relations ?? parameter.value.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      } else {
        parameters.append(parameter)
      }
    }
    return WebLink(String(target), relations: relations ?? [], parameters: parameters)
  }

  /// Returns `nil` at a comma or the end.
  private mutating func nextParameter() -> HeaderField? {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.first == ";" else { return nil }
    rest = rest.drop { $0 == ";" || $0 == " " || $0 == "\t" }
    let name = rest.prefix { !"=;, \t".contains($0) }
    guard !name.isEmpty else { return nil }
    rest = rest[name.endIndex...].drop { $0 == " " || $0 == "\t" }
    guard rest.first == "=" else { return HeaderField(name.lowercased(), "") }
    rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
    guard rest.first == "\"" else {
      let value = rest.prefix { $0 != ";" && $0 != "," }
      rest = rest[value.endIndex...]
      return HeaderField(name.lowercased(), String(value.trimmingSpaces()))
    }
    return HeaderField(name.lowercased(), quotedString())
  }

  /// Reads a quoted string (RFC 9110 §5.6.4); without a closing quote, it extends to the end of the field.
  private mutating func quotedString() -> String {
    var value = ""
    rest = rest.dropFirst()
    while let character = rest.popFirst(), character != "\"" {
      value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
    }
    return value
  }
}
