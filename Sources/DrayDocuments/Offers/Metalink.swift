// Reads Metalink files, versions 3 and 4 (RFC 5854): files on several servers, with sizes and hashes.

package import DrayCore

package struct Metalink: Sendable, Equatable {
  package var files: [OfferedFile]
  /// The skipped defects, as printable lines.
  package var remarks: [String]

  package static func isNamed(_ name: String) -> Bool {
    [".meta4", ".metalink"].contains(where: name.lowercased().hasSuffix)
  }

  package static let mediaTypes: Set<String> = ["application/metalink4+xml", "application/metalink+xml"]
  static let kind = "a Metalink file"

  /// Skips unusable files, and the invalid hashes of files that also have a valid one. Each adds a remark.
  /// - Parameter base: The URL of the document; `nil` for a local file.
  /// - Throws: ``DocumentError`` of the first file if no file is usable.
  package static func parse(_ bytes: [UInt8], base: RequestURL?) throws(DocumentError) -> Metalink {
    let root = try XMLTree.parse(try DocumentText.xml(bytes, kind: kind), kind: kind)
    guard root.name == "metalink" else {
      throw DocumentError(kind, "its first element is <\(root.name)>, not <metalink>", line: root.line)
    }
    // Version 3 has an additional element around files, around URLs, and around hashes.
    let start = root.base(on: base)
    let nodes =
      root.all("file").map { ($0, start) }
      + root.all("files").flatMap { files in files.all("file").map { ($0, files.base(on: start)) } }
    var found = Metalink(files: [], remarks: [])
    var first: DocumentError?
    for (node, base) in nodes {
      do throws(DocumentError) {
        var reader = MetalinkFileReader(node, base)
        found.files.append(try reader.read())
        found.remarks += reader.remarks
      } catch {
        first = first ?? error
        found.remarks.append(MetalinkFileReader.remark("skipped: \(error.reason)", error.line))
      }
    }
    if found.files.isEmpty { throw first ?? DocumentError(kind, "it has no <file>", line: root.line) }
    return found
  }
}
