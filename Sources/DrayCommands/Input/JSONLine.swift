// Lists as lines of JSON: one object a URL.

internal import DrayDocuments
internal import DrayKit
internal import DrayWire

/// A line that was read: its URL, and what it says of it.
struct JSONLine {
  let url: String
  private let members: [JSONNode.Member]

  /// Reads one line.
  /// - Throws: kind `usage`, naming the line.
  init(_ bytes: ArraySlice<UInt8>, _ place: String) throws(Failure) {
    let node: JSONNode
    do throws(DocumentError) {
      node = try JSONNode.parse(bytes, kind: "a list")
    } catch {
      throw OptionValue.bad(place, TextSafety.escaped(error.reason))
    }
    guard let members = node.object else {
      throw OptionValue.bad(place, "the line is \(node.kind), but must be an object")
    }
    guard let url = members.first(where: { $0.name == "url" })?.value.string else {
      throw OptionValue.bad(place, "\"url\" is missing or not a string")
    }
    self.url = url
    self.members = members.filter { $0.name != "url" }
  }

  /// Puts what the line says of its URL into the options of that.
  /// - Throws: kind `usage`, naming the line.
  func apply(to own: inout LineOptions, _ place: String) throws(Failure) {
    for member in members { try JSONLine.set(member, in: &own, place) }
  }

  private static func set(_ member: JSONNode.Member, in own: inout LineOptions, _ place: String) throws(Failure) {
    let value = member.value
    func wrong(_ what: String) -> Failure {
      OptionValue.bad(place, "\(OptionValue.quote(member.name)) is \(value.kind), but must be \(what)")
    }
    switch member.name {
    case "headers":
      guard let fields = value.object else { throw wrong("an object of strings") }
      for field in fields {
        guard let text = field.value.string else { throw wrong("an object of strings") }
        own.headers.append(try HeaderLine.parse("\(field.name): \(text)", place))
      }
    case "mirrors":
      guard let urls = value.array?.map(\.string), !urls.contains(nil) else { throw wrong("an array of URLs") }
      for url in urls.compactMap(\.self) { try own.addMirror(url, place) }
    case "after":
      let numbers = value.array?.map(\.integer) ?? [value.integer]
      guard !numbers.contains(nil) else { throw wrong("a number, or an array of them") }
      for number in numbers.compactMap(\.self) { try own.set("after", "\(number)", place) }
    case "size", "priority", "max-connections", "max-connection-per-server":
      guard let number = value.integer else { throw wrong("an integer") }
      try own.set(member.name[...], "\(number)", place)
    case _ where JobLine.names.contains(member.name):
      guard let text = value.string else { throw wrong("a string") }
      try own.set(member.name[...], text, place)
    default:
      throw OptionValue.bad(
        place, "\(OptionValue.quote(member.name)) is not a field of a list",
        advice: Advice(NearestName.advice(member.name, among: JobLine.names)))
    }
  }
}
