// The page's files as the program has them.

internal import FoundationEssentials

/// A file of the page.
struct PageFile: Sendable {
  let path: String
  let type: String
  /// Changes with the file.
  let tag: String
  /// The content in base64.
  private let text: StaticString

  init(_ path: String, _ type: String, _ tag: String, _ text: StaticString) {
    (self.path, self.type, self.tag, self.text) = (path, type, "\"\(tag)\"", text)
  }

  /// The content.
  var content: [UInt8] {
    text.withUTF8Buffer { Data(base64Encoded: Data($0)).map { Array($0) } ?? [] }
  }

  private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

  /// The answer to a request for a file of the page; nil for any other path.
  ///
  /// Sent without a content coding: a client that names none, such as curl, would show gzip as it is. Browsers ask for the
  /// files each time, and their tags answer that.
  static func answer(_ request: WebRequest) -> WebResponse? {
    guard let file = byPath[request.path] else { return nil }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .text(405, "A file of the page can only be read.", ["Allow": "GET, HEAD"])
    }
    var fields: WebFields = ["ETag": file.tag, "Cache-Control": "no-cache"]
    let known = request.fields.all("If-None-Match").flatMap { $0.split(separator: ",") }
    if known.contains(where: { $0.utf8.trimmingBlanks.elementsEqual(file.tag.utf8) }) {
      return WebResponse(304, fields)
    }
    fields["Content-Type"] = file.type
    return WebResponse(200, fields, file.content)
  }
}
