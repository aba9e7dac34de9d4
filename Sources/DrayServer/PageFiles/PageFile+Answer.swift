// Sends the files of the page.

internal import Crypto
internal import DrayPage
internal import WebServer

extension PageFile {
  private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

  /// The value of `ETag`, which changes when the file changes.
  private var tag: String {
    let digits = SHA256.hash(data: bytes).prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "\"\(digits.joined())\""
  }

  static func answer(_ request: WebRequest) -> WebResponse? {
    guard let file = byPath[request.path] else { return nil }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .text(405, "A file of the page can only be read.", ["Allow": "GET, HEAD"])
    }
    let tag = file.tag
    var fields: WebFields = ["ETag": tag, "Cache-Control": "no-cache"]
    // Without this field, a service worker may only handle requests for its own folder (Service Workers,
    // "Service-Worker-Allowed").
    if file.path == "/page/worker.js" { fields["Service-Worker-Allowed"] = "/" }
    let known = request.fields.all("If-None-Match").flatMap { $0.split(separator: ",") }
    if known.contains(where: { $0.utf8.trimmingBlanks.elementsEqual(tag.utf8) }) {
      return WebResponse(304, fields)
    }
    fields["Content-Type"] = file.type
    return WebResponse(200, fields, file.bytes)
  }
}
