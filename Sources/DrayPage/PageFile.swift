// The files of the page of `dray serve`. A C file embeds them in the program (CPage/page.c): Swift would take half a minute
// for the same bytes.

internal import CPage

public struct PageFile: Sendable {
  /// The path of its URL.
  public let path: String
  public let type: String
  public let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8]) {
    path = name == "index.html" ? "/" : "/page/" + name
    type = PageFile.types.first { name.hasSuffix($0.key) }?.value ?? "application/octet-stream"
    self.bytes = bytes
  }

  private static let types = [
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
  ]

  public static let all: [PageFile] = {
    var count = 0
    let files = UnsafeBufferPointer(start: dray_page_files(&count), count: count)
    return files.map {
      PageFile(String(cString: $0.name), [UInt8](UnsafeBufferPointer(start: $0.bytes, count: $0.count)))
    }
  }()
}
