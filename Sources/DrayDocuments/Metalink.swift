// Metalink files, versions 3 and 4 (RFC 5854): the same files on several servers, with sizes and hashes.

public import DrayCore

/// A Metalink document.
public struct Metalink: Sendable, Equatable {
  /// Its files, in their order.
  public var files: [OfferedFile]

  /// Whether a file of this name is such a document.
  public static func isNamed(_ name: String) -> Bool {
    [".meta4", ".metalink"].contains(where: name.lowercased().hasSuffix)
  }

  /// The media types of Metalink documents.
  public static let mediaTypes: Set<String> = ["application/metalink4+xml", "application/metalink+xml"]
  static let kind = "a Metalink file"

  /// Reads a Metalink document.
  /// - Parameter base: the URL that it came from; `nil` for a local file.
  /// - Throws: ``DocumentError``, among others for a name that leads out of the directory (RFC 5854 §4.1.2.1).
  public static func parse(_ bytes: [UInt8], base: RequestURL?) throws(DocumentError) -> Metalink {
    let root = try XMLTree.parse(try DocumentText.xml(bytes, kind: kind), kind: kind)
    guard root.name == "metalink" else {
      throw DocumentError(kind, "its first element is <\(root.name)>, not <metalink>", line: root.line)
    }
    // Version 3 has one more element around its files, around its URLs, and around its hashes.
    let nodes = root.all("file") + root.all("files").flatMap { $0.all("file") }
    var files: [OfferedFile] = []
    for node in nodes { files.append(try file(node, base)) }
    guard !files.isEmpty else { throw DocumentError(kind, "there is no <file> in it", line: root.line) }
    return Metalink(files: files)
  }

  private static func file(_ node: XMLNode, _ base: RequestURL?) throws(DocumentError) -> OfferedFile {
    guard let written = node.value("name") else { throw DocumentError(kind, "a <file> has no name", line: node.line) }
    guard let name = DocumentPath.safe(written) else {
      throw DocumentError(kind, "the name \(quote(written)) is none that stays in its directory", line: node.line)
    }
    let urls = try urls(node, base)
    guard !urls.isEmpty else {
      throw DocumentError(kind, "the file \(quote(written)) has no URL that can be fetched", line: node.line)
    }
    var file = OfferedFile(urls: urls, name: name)
    if let size = node.child("size") {
      guard let count = Int64(size.trimmedText), count >= 0 else {
        throw DocumentError(kind, "the size of \(quote(written)) is no number of bytes", line: size.line)
      }
      file.size = count
    }
    let hashes = node.all("hash") + node.all("verification").flatMap { $0.all("hash") }
    file.digest = try strongest(hashes, of: written)
    file.digestSource = file.digest.map { _ in .metalink }
    if let pieces = node.child("pieces") ?? node.child("verification")?.child("pieces") {
      file.pieces = try self.pieces(pieces, file.size, of: written)
    }
    return file
  }

  /// The URLs by their rank: `priority`, 1 the best (RFC 5854 §4.2.16.2), or version 3's `preference`, 100 the best.
  private static func urls(_ node: XMLNode, _ base: RequestURL?) throws(DocumentError) -> [RequestURL] {
    let nodes = node.all("url") + node.all("resources").flatMap { $0.all("url") }
    let ranked = nodes.enumerated().compactMap { index, node -> (rank: Int, index: Int, url: RequestURL)? in
      guard let url = DocumentURL.resolve(node.trimmedText, against: base) else { return nil }
      let priority =
        node.value("priority").flatMap { Int($0) }
        ?? node.value("preference").flatMap { Int($0) }.map { -max($0, -.max) }
      return (priority ?? 999_999, index, url)
    }
    var seen: Set<RequestURL> = []
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.url).filter { seen.insert($0).inserted }
  }

  /// The strongest hash; one of an algorithm that is not known says nothing.
  private static func strongest(_ nodes: [XMLNode], of name: String) throws(DocumentError) -> DigestValue? {
    var best: DigestValue?
    for node in nodes {
      guard let type = node.value("type"), let algorithm = DigestAlgorithm(named: type) else { continue }
      do throws(DigestParseError) {
        let digest = try DigestValue.parse("\(algorithm.rawValue)=\(node.trimmedText)")
        if digest.bytes.count > best?.bytes.count ?? 0 { best = digest }
      } catch {
        throw DocumentError(kind, "a hash of \(quote(name)): \(error.message)", line: node.line)
      }
    }
    return best
  }

  /// The hashes of pieces; `nil` for an algorithm that is not known.
  private static func pieces(_ node: XMLNode, _ size: Int64?, of name: String) throws(DocumentError) -> PieceHashes? {
    guard let algorithm = node.value("type").flatMap({ DigestAlgorithm(named: $0) }) else { return nil }
    guard let length = node.value("length").flatMap({ Int64($0) }), length > 0 else {
      throw DocumentError(kind, "the pieces of \(quote(name)) have no length", line: node.line)
    }
    // Version 3 numbers its hashes; version 4 has them in order.
    let nodes = node.all("hash").enumerated().sorted { one, other in
      let (a, b) = (one.element.value("piece").flatMap { Int($0) }, other.element.value("piece").flatMap { Int($0) })
      return (a ?? one.offset, one.offset) < (b ?? other.offset, other.offset)
    }.map(\.element)
    var hashes: [String] = []
    for hash in nodes {
      do throws(DigestParseError) {
        hashes.append(try DigestValue.parse("\(algorithm.rawValue)=\(hash.trimmedText)").hex)
      } catch {
        throw DocumentError(kind, "a piece of \(quote(name)): \(error.message)", line: hash.line)
      }
    }
    let pieces = PieceHashes(algorithm: algorithm, length: length, hashes: hashes)
    if let size, !pieces.fits(size) {
      throw DocumentError(kind, "the pieces of \(quote(name)) do not cover its \(size) bytes", line: node.line)
    }
    return pieces
  }
}
