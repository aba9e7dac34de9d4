// Parses lists that consist of lines of JSON, with one object for each URL.

internal import DrayDocuments
internal import DrayKit

internal import struct FoundationEssentials.UUID

/// A parsed line of JSON: its URL and its settings.
struct JSONLine {
  let url: String
  private let members: [JSONNode.Member]

  /// Parses one line.
  /// - Throws: Kind `usage` with the number of the line.
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

  /// Applies the settings of the line to the options of its URL.
  /// - Throws: Kind `usage` with the number of the line.
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
    case "id":
      guard let number = value.integer else { throw wrong("a number") }
      own.exported.id = number
    case "waits-for":
      let numbers = value.array?.map(\.integer) ?? [value.integer]
      guard !numbers.contains(nil) else { throw wrong("a number, or an array of them") }
      own.exported.waitsFor = numbers.compactMap(\.self)
    case "state":
      guard let state = value.string.flatMap(JobState.init(rawValue:)) else { throw wrong("a state") }
      own.exported.state = state
    case "uuid":
      guard let uuid = value.string.flatMap(UUID.init(uuidString:)) else { throw wrong("a UUID") }
      own.exported.uuid = uuid
    case "source":
      do throws(DocumentError) { own.source = try SourceReference(kept: value) } catch {
        throw OptionValue.bad(place, error.reason)
      }
    case "checkpoint":
      guard let fields = value.object, let checkpoint = ExportedCheckpoint(fields) else {
        throw wrong("what dray export writes")
      }
      own.exported.checkpoint = checkpoint
    default:
      guard let shape = ListLine.shape(of: member.name) else {
        throw OptionValue.bad(
          place, "\(OptionValue.quote(member.name)) is not a field of a list",
          advice: Advice(NearestName.advice(member.name, among: ListLine.names)))
      }
      for text in try texts(value, shape, wrong) { try own.set(member.name[...], text, place) }
    }
  }

  /// Returns a JSON value as texts, one for each indented line that a list in aria2's format would have.
  private static func texts(
    _ value: JSONNode, _ shape: SettingShape, _ wrong: (String) -> Failure
  ) throws(Failure) -> [String] {
    switch shape {
    case .boolean:
      guard case .bool(let isSet) = value.value else { throw wrong("true or false") }
      return [isSet ? "yes" : "no"]
    case .integer:
      guard let number = value.integer else { throw wrong("an integer") }
      return ["\(number)"]
    case .integers:
      let numbers = value.array?.map(\.integer) ?? [value.integer]
      guard !numbers.contains(nil) else { throw wrong("a number, or an array of them") }
      return numbers.compactMap { number in number.map { "\($0)" } }
    case .strings:
      guard let texts = value.array?.map(\.string), !texts.contains(nil) else { throw wrong("an array of strings") }
      return texts.compactMap(\.self)
    default:
      guard let text = value.string else { throw wrong("a string") }
      return [text]
    }
  }
}
