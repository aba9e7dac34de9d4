// A TOML table whose errors name the expected value.

internal import DrayCore

#if Documents
internal import TOMLKit
#endif

struct TOMLNode {
  private let table: TOMLTable
  private let kind: String

  static func parse(_ text: String, kind: String) throws(DocumentError) -> TOMLNode {
    let shape = TOMLShape(text)
    if let reason = shape.reason { throw DocumentError(kind, "it is not TOML: \(reason)", line: shape.line) }
    do {
      return TOMLNode(table: try TOMLTable(string: text), kind: kind)
    } catch let error as TOMLParseError {
      let place = error.source.begin
      throw DocumentError(kind, "it is not TOML: \(error.description) (column \(place.column))", line: place.line)
    } catch {
      throw DocumentError(kind, "its TOML cannot be read: \(error)")
    }
  }

  /// Refuses unknown keys.
  func allow(_ names: [String], _ place: String) throws(DocumentError) {
    for key in keys where !names.contains(key) {
      throw DocumentError(kind, "\(place) has no key \(quote(key)): \(NearestName.advice(key, among: names))")
    }
  }

  /// Sorted.
  var keys: [String] { table.keys.sorted() }

  func has(_ key: String) -> Bool { table[key] != nil }

  /// A single table, or an array of them.
  func tables(_ key: String) throws(DocumentError) -> [TOMLNode] {
    guard let value = table[key] else { return [] }
    if let one = value.table { return [TOMLNode(table: one, kind: kind)] }
    guard let all = value.array?.map({ $0.table }), !all.contains(where: { $0 == nil }) else {
      throw DocumentError(kind, "\(quote(key)) must be a table")
    }
    return all.compactMap { $0.map { TOMLNode(table: $0, kind: kind) } }
  }

  func text(_ key: String, _ place: String) throws(DocumentError) -> String? {
    guard let value = table[key] else { return nil }
    guard let text = value.string, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw DocumentError(kind, "\(quote(key)) of \(place) must be a string of one line")
    }
    return text
  }

  func texts(_ key: String, _ place: String) throws(DocumentError) -> [String] {
    guard let value = table[key] else { return [] }
    guard let texts = value.array?.map({ $0.string }), !texts.contains(nil) else {
      throw DocumentError(kind, "\(quote(key)) of \(place) must be an array of strings")
    }
    return texts.compactMap(\.self)
  }

  func flag(_ key: String, _ place: String) throws(DocumentError) -> Bool {
    guard let value = table[key] else { return false }
    guard let flag = value.bool else { throw DocumentError(kind, "\(quote(key)) of \(place) must be true or false") }
    return flag
  }

  func count(_ key: String, _ place: String) throws(DocumentError) -> Int64? {
    guard let value = table[key] else { return nil }
    guard let count = value.int, count >= 0 else {
      throw DocumentError(kind, "\(quote(key)) of \(place) must be a number of bytes")
    }
    return Int64(count)
  }

  func digest(_ key: String, _ place: String) throws(DocumentError) -> DigestValue? {
    guard let text = try text(key, place) else { return nil }
    do throws(DigestParseError) { return try DigestValue.parse(text) } catch {
      throw DocumentError(kind, "\(quote(key)) of \(place): \(error.message)")
    }
  }

  /// Resolved against `base` if given.
  func url(_ key: String, _ place: String, against base: RequestURL?) throws(DocumentError) -> RequestURL? {
    guard let text = try text(key, place) else { return nil }
    return try resolve(text, key, place, base)
  }

  func urls(_ key: String, _ place: String, against base: RequestURL?) throws(DocumentError) -> [RequestURL] {
    guard let value = table[key] else { return [] }
    guard let texts = value.array?.map({ $0.string }), !texts.contains(nil) else {
      throw DocumentError(kind, "\(quote(key)) of \(place) must be an array of URLs")
    }
    var urls: [RequestURL] = []
    for text in texts.compactMap(\.self) { urls.append(try resolve(text, key, place, base)) }
    return urls
  }

  private func resolve(
    _ text: String, _ key: String, _ place: String, _ base: RequestURL?
  ) throws(DocumentError) -> RequestURL {
    guard let url = DocumentURL.resolve(text, against: base) else {
      let schemes = DocumentURL.schemes.sorted().joined(separator: ", ")
      throw DocumentError(kind, "\(quote(key)) of \(place) is not a URL that can be used (\(schemes))")
    }
    return url
  }

  func headers(_ place: String) throws(DocumentError) -> [HeaderField] {
    guard let value = table["headers"] else { return [] }
    guard let fields = value.table else { throw DocumentError(kind, "\"headers\" of \(place) must be a table") }
    var headers: [HeaderField] = []
    for name in fields.keys.sorted() {
      guard let text = fields[name]?.string else {
        throw DocumentError(kind, "the header field \(quote(name)) of \(place) must be a string")
      }
      headers.append(HeaderField(name, text))
    }
    return headers
  }
}
