// Feeds a document to Expat.

#if Documents || ObjectStores

internal import CExpat

enum XMLReader {
  /// Whether this build can read XML. It can with the package traits Documents or ObjectStores.
  static let isAvailable = true

  /// The place where the document is malformed, or where reading stopped.
  struct Fault: Equatable {
    /// The line number, from 1.
    var line: Int
    /// Whether a tag, a comment or a CDATA section begins in that line and is not closed.
    var isUnclosed: Bool
  }

  private final class Context {
    let builder: XMLBuilder
    let parser: XML_Parser

    init(_ builder: XMLBuilder, _ parser: XML_Parser) { (self.builder, self.parser) = (builder, parser) }

    static func of(_ data: UnsafeMutableRawPointer?) -> Context? {
      data.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  /// Reads a document and passes its events to `builder`.
  /// - Parameter text: The decoded text. The encoding in its declaration is ignored.
  /// - Returns: `nil` if the whole document is well-formed.
  static func read(_ text: String, into builder: XMLBuilder) -> Fault? {
    guard let parser = XML_ParserCreate("UTF-8") else { return Fault(line: 1, isUnclosed: false) }
    defer { XML_ParserFree(parser) }
    let context = Context(builder, parser)
    XML_SetUserData(parser, Unmanaged.passUnretained(context).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let context = Context.of(data), let name else { return }
        let line = Int(XML_GetCurrentLineNumber(context.parser))
        if !context.builder.start(String(cString: name), XMLReader.values(attributes), line: line) {
          XML_StopParser(context.parser, XML_Bool(XML_FALSE))
        }
      },
      { data, _ in Context.of(data)?.builder.end() })
    XML_SetCharacterDataHandler(parser) { data, bytes, count in
      guard let bytes else { return }
      let text = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      Context.of(data)?.builder.append(String(decoding: text, as: UTF8.self))
    }
    return withExtendedLifetime(context) {
      var text = text
      return text.withUTF8 { bytes in feed(bytes, to: parser) }
    }
  }

  /// Passes the document in pieces, because Expat counts the bytes of a call in an `int`.
  private static func feed(_ bytes: UnsafeBufferPointer<UInt8>, to parser: XML_Parser) -> Fault? {
    let piece = 1 << 30
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(piece)
      rest = rest.dropFirst(piece)
      let isLast = rest.isEmpty
      let status = UnsafeBufferPointer(rebasing: part).withMemoryRebound(to: CChar.self) {
        XML_Parse(parser, $0.baseAddress, Int32($0.count), isLast ? 1 : 0)
      }
      guard status == XML_STATUS_OK else {
        let code = XML_GetErrorCode(parser)
        return Fault(
          line: Int(XML_GetCurrentLineNumber(parser)),
          isUnclosed: code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_UNCLOSED_CDATA_SECTION)
      }
    } while !rest.isEmpty
    return nil
  }

  /// Reads alternating names and values, which end with a null pointer.
  static func values(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String: String] {
    var values: [String: String] = [:]
    var at = 0
    while let name = attributes?[at], let value = attributes?[at + 1] {
      values[String(cString: name)] = String(cString: value)
      at += 2
    }
    return values
  }
}

#else

/// Takes the place of Expat in builds without the package traits Documents and ObjectStores.
enum XMLReader {
  struct Fault: Equatable {
    var line: Int
    var isUnclosed: Bool
  }

  static let isAvailable = false

  static func read(_ text: String, into builder: XMLBuilder) -> Fault? { Fault(line: 1, isUnclosed: false) }
}

#endif
