// Parses the values of `--data` and similar options, in the forms of curl, into pieces of a body or of a query. The
// code in this file has no effects outside its values.

internal import DrayKit

enum FormData {
  /// Reads the values of all data options, and joins them with `&`. Values of the same option stay in their order.
  /// - Parameter path: Makes a path absolute, and checks that the file can be read.
  static func pieces(
    _ arguments: BodyArguments, path: (String, String) throws(Failure) -> String
  ) throws(Failure) -> [BodyPiece] {
    var groups: [[BodyPiece]] = []
    for text in arguments.data { groups.append([try piece(text, "--data", .withoutLineEnds, path)]) }
    for text in arguments.dataRaw { groups.append([BodyPiece(.text(text))]) }
    for text in arguments.dataBinary { groups.append([try piece(text, "--data-binary", .none, path)]) }
    for text in arguments.dataUrlencode { groups.append(try encoded(text, path)) }
    return Array(groups.joined(separator: [BodyPiece(.text("&"))]))
  }

  private static func piece(
    _ text: String, _ option: String, _ filter: BodyFilter, _ path: (String, String) throws(Failure) -> String
  ) throws(Failure) -> BodyPiece {
    guard text.hasPrefix("@") else { return BodyPiece(.text(text)) }
    return BodyPiece(try file(text.dropFirst(), option, path), filter)
  }

  private static func file(
    _ name: Substring, _ option: String, _ path: (String, String) throws(Failure) -> String
  ) throws(Failure) -> BodyContent {
    name == "-" ? .descriptor(0) : .file(try path(String(name), option))
  }

  /// Parses `content`, `=content`, `name=content`, `@file` or `name@file`. The first `=` or `@` in the text decides
  /// which form it has.
  private static func encoded(
    _ text: String, _ path: (String, String) throws(Failure) -> String
  ) throws(Failure) -> [BodyPiece] {
    guard let mark = text.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return [BodyPiece(.text(text), .formEncoded)]
    }
    let rest = text[text.index(after: mark)...]
    let name = text[..<mark]
    let content: BodyContent =
      text[mark] == "=" ? .text(String(rest)) : try file(rest, "--data-urlencode", path)
    let value = BodyPiece(content, .formEncoded)
    return name.isEmpty ? [value] : [BodyPiece(.text("\(name)=")), value]
  }
}
