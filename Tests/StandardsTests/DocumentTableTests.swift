// Documents by their standards: Metalink (RFC 5854), Atom (RFC 4287), RSS 2.0.

import DrayCore
import DrayDocuments
import Foundation
import Testing

@Suite("Documents by the text of their standards")
struct DocumentTableTests {
  static let metalinks = StandardRow.table("rfc5854-metalink", keys: ["files", "gives", "remarks", "error"])
  static let feeds = StandardRow.table("feeds", keys: ["feed", "gives", "title", "encoding", "label"])

  private static let hashes = [
    "sha-256": String(repeating: "a", count: 64), "sha-1": String(repeating: "b", count: 40),
    "md5": String(repeating: "c", count: 32),
  ]

  @Test("Metalink", arguments: metalinks)
  func metalink(_ row: StandardRow) throws {
    var files = try #require(row["files"])
    for (name, hash) in Self.hashes {
      files = files.replacing("{\(name)}", with: hash).replacing("{\(name.uppercased())}", with: hash.uppercased())
    }
    let text = "<?xml version=\"1.0\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\(files)</metalink>"
    let base = try RequestURL.parse("https://site.example/d/x.meta4").url
    switch Self.read(text, base) {
    case .success(let found):
      #expect(found.files.map(Self.line) == row.list("gives") ?? [])
      #expect(found.remarks.count == row.number("remarks") ?? 0, "\(found.remarks)")
      #expect(found.remarks.allSatisfy { !$0.isEmpty && TextSafety.escaped($0) == $0 })
      #expect(row["error"] == nil)
    case .failure(let error):
      let wanted = try #require(row["error"], "\(error)")
      #expect(error.reason.contains(wanted), "\(error)")
    }
  }

  private static func read(_ text: String, _ base: RequestURL) -> Result<Metalink, DocumentError> {
    do throws(DocumentError) { return .success(try Metalink.parse(Array(text.utf8), base: base)) } catch {
      return .failure(error)
    }
  }

  /// A file as the table writes it.
  private static func line(_ file: OfferedFile) -> String {
    let pieces = file.pieces.map { "\($0.algorithm.rawValue):\($0.length):\($0.hashes.count)" }
    let urls = file.urls.map(\.string).joined(separator: ",")
    let digest = file.digest.map { digest in
      hashes[digest.algorithm.rawValue] == digest.hex ? digest.algorithm.rawValue : digest.description
    }
    return "\(file.name ?? "-") \(file.size.map(String.init) ?? "-") \(digest ?? "-") \(urls) \(pieces ?? "-")"
  }

  @Test("feeds", arguments: feeds)
  func feed(_ row: StandardRow) throws {
    let text = try #require(row["feed"]).replacing("{encoding}", with: row["label"] ?? "UTF-8")
    let bytes = try row["encoding"].map { try Self.encode(text, as: $0) } ?? Array(text.utf8)
    let found = try Feed.parse(bytes, base: try RequestURL.parse("https://site.example/d/feed.xml").url)
    let lines = found.entries.map { "\($0.key) \($0.url.string) \($0.length.map(String.init) ?? "-")" }
    #expect(lines == (try #require(row.list("gives"))))
    if let title = row["title"] { #expect(found.title == title) }
  }

  /// Text in another encoding, by the system's `iconv`.
  private static func encode(_ text: String, as name: String) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/iconv")
    process.arguments = ["-f", "UTF-8", "-t", name]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "iconv knows \(name)")
    return Array(bytes ?? Data())
  }

  @Test("bytes that an encoding does not have, and halves of characters, are not a reason to refuse a feed")
  func brokenBytes() throws {
    let start = Array("<?xml version='1.0' encoding='euc-kr'?><rss><channel><title>".utf8)
    let feed = try Feed.parse(start + [0xFF, 0xB0, 0xA1, 0x41] + Array("</title></channel></rss>".utf8), base: nil)
    #expect(feed.title == "\u{FFFD}가A")
    #expect(throws: DocumentError.self) { try Feed.parse(start + [0xB0], base: nil) }
  }

  @Test("the tables exist")
  func isWhole() {
    #expect(Self.metalinks.count > 20 && Self.feeds.count > 20)
  }
}
