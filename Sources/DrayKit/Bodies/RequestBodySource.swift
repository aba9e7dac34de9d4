// What a body is made of, before it is spooled: for programs and for the command alike.

public import DrayCore

public import struct FoundationEssentials.Data

/// Bytes from somewhere.
public enum BodyContent: Sendable {
  /// A text, as UTF-8.
  case text(String)
  /// Bytes in memory.
  case bytes([UInt8])
  /// What a file holds when the body is spooled; a fifo is read to its end.
  case file(String)
  /// All that an open descriptor gives until its end; it stays open.
  case descriptor(Int32)
  /// Blocks from any asynchronous source.
  case stream(AsyncThrowingStream<[UInt8], any Error>)
}

/// What is done to bytes on their way into a body.
public enum BodyFilter: Sendable, Equatable {
  /// Nothing.
  case none
  /// Line ends and NUL are left out, as curl does with `--data @FILE`.
  case withoutLineEnds
  /// They are encoded as the value of a form.
  case formEncoded
}

/// A piece of a body that is put together of several.
public struct BodyPiece: Sendable {
  /// The bytes.
  public var content: BodyContent
  /// What is done to them.
  public var filter: BodyFilter

  /// Makes a piece.
  public init(_ content: BodyContent, _ filter: BodyFilter = .none) {
    self.content = content
    self.filter = filter
  }
}

/// A part of a `multipart/form-data` body.
public struct MultipartPart: Sendable {
  /// What stands before it.
  public var head: MultipartHead
  /// What it holds.
  public var content: BodyContent

  /// Makes a part.
  public init(_ head: MultipartHead, _ content: BodyContent) {
    self.head = head
    self.content = content
  }

  /// A field with a text.
  public static func field(_ name: String, _ value: String) -> MultipartPart {
    MultipartPart(MultipartHead(name: name), .text(value))
  }

  /// A file: named and typed after its path by default.
  public static func file(
    _ name: String, _ path: String, fileName: String? = nil, contentType: String? = nil
  ) -> MultipartPart {
    let shown = fileName ?? path.split(separator: "/").last.map(String.init) ?? path
    return MultipartPart(
      MultipartHead(name: name, fileName: shown, contentType: contentType ?? MediaType.guess(fileName: shown)),
      .file(path))
  }
}

/// The body of a request, before it is spooled.
public enum RequestBodySource: Sendable {
  /// A form, `application/x-www-form-urlencoded`.
  case form([FormField])
  /// A form with files, `multipart/form-data`.
  case multipart([MultipartPart])
  /// A JSON text; it is checked.
  case json(Data)
  /// A property list; it is checked.
  case propertyList(Data)
  /// Bytes of any kind, one after the other; without a media type none is sent.
  case pieces([BodyPiece], contentType: String?)

  /// Bytes of any kind.
  public static func content(_ content: BodyContent, contentType: String?) -> RequestBodySource {
    .pieces([BodyPiece(content)], contentType: contentType)
  }

  /// Sees whether it is what it is said to be.
  /// - Throws: kind `usage` for what is not JSON or no property list.
  public func check() throws(Failure) { _ = try laidOut() }

  /// The pieces as they are sent one after the other, and their media type.
  /// - Throws: kind `usage` for what is not JSON or no property list.
  func laidOut() throws(Failure) -> (pieces: [BodyPiece], contentType: String?) {
    switch self {
    case .form(let fields):
      return ([BodyPiece(.bytes(FormEncoding.body(fields)))], FormEncoding.contentType)
    case .multipart(let parts):
      var random = SystemRandomNumberGenerator()
      let framing = MultipartFraming(using: &random)
      var pieces: [BodyPiece] = []
      for part in parts {
        pieces.append(BodyPiece(.bytes(framing.opening(part.head))))
        pieces.append(BodyPiece(part.content))
        pieces.append(BodyPiece(.bytes(framing.afterPart)))
      }
      pieces.append(BodyPiece(.bytes(framing.closing)))
      return (pieces, framing.contentType)
    case .json(let data):
      try DocumentCheck.json(data)
      return ([BodyPiece(.bytes([UInt8](data)))], "application/json")
    case .propertyList(let data):
      try DocumentCheck.propertyList(data)
      return ([BodyPiece(.bytes([UInt8](data)))], "application/x-plist")
    case .pieces(let pieces, let contentType):
      return (pieces, contentType)
    }
  }
}
