// The sources of a body's bytes before it is spooled, for programs and for the command.

public import DrayCore

public import struct FoundationEssentials.Data

/// A source of bytes.
public enum BodyContent: Sendable {
  /// A text, as UTF-8.
  case text(String)
  /// Bytes in memory.
  case bytes([UInt8])
  /// The content of a file at the time of spooling; a fifo is read to its end.
  case file(String)
  /// An open descriptor. It is read to its end, and stays open.
  case descriptor(Int32)
  /// Blocks of bytes from an asynchronous source.
  case stream(AsyncThrowingStream<[UInt8], any Error>)
}

/// A change of the bytes on their way into a body.
public enum BodyFilter: Sendable, Equatable {
  case none
  /// Removes line ends and NUL, as curl does with `--data @FILE`.
  case withoutLineEnds
  /// Encodes the bytes as the value of a form.
  case formEncoded
}

/// A piece of a body.
public struct BodyPiece: Sendable {
  /// The bytes.
  public var content: BodyContent
  /// The change of the bytes.
  public var filter: BodyFilter

  /// Creates a piece.
  public init(_ content: BodyContent, _ filter: BodyFilter = .none) {
    self.content = content
    self.filter = filter
  }
}

/// A part of a `multipart/form-data` body.
public struct MultipartPart: Sendable {
  /// The head of the part.
  public var head: MultipartHead
  /// The content of the part.
  public var content: BodyContent

  /// Creates a part.
  public init(_ head: MultipartHead, _ content: BodyContent) {
    self.head = head
    self.content = content
  }

  /// Creates a field with a text.
  public static func field(_ name: String, _ value: String) -> MultipartPart {
    MultipartPart(MultipartHead(name: name), .text(value))
  }

  /// Creates a file part; unless they are given, its name and type come from `path`.
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
  /// A form, encoded as `application/x-www-form-urlencoded`.
  case form([FormField])
  /// A form with files, encoded as `multipart/form-data`.
  case multipart([MultipartPart])
  /// A JSON text, which is checked.
  case json(Data)
  /// A property list, which is checked.
  case propertyList(Data)
  /// Pieces of any kind, one after another. If there is no content type, none is sent.
  case pieces([BodyPiece], contentType: String?)

  /// Creates a body of any kind.
  public static func content(_ content: BodyContent, contentType: String?) -> RequestBodySource {
    .pieces([BodyPiece(content)], contentType: contentType)
  }

  /// Checks that the content has the format that it claims to have.
  /// - Throws: Kind `usage` for invalid JSON or property lists.
  public func check() throws(Failure) { _ = try laidOut() }

  /// Returns the pieces, in the order in which they are sent.
  /// - Throws: Kind `usage` for invalid JSON or property lists.
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
