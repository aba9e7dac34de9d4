// Reads a file of a Metalink document (RFC 5854 §4.1.2): name, URLs, size, hashes.

internal import DrayCore

struct MetalinkFileReader {
  private(set) var remarks: [String] = []
  private let node: XMLNode
  private let base: RequestURL?

  init(_ node: XMLNode, _ base: RequestURL?) { (self.node, self.base) = (node, node.base(on: base)) }

  static func remark(_ text: String, _ line: Int?) -> String {
    TextSafety.escaped(line.map { "line \($0): \(text)" } ?? text)
  }

  /// Throws ``DocumentError`` if the file cannot be fetched, or cannot be verified as its author intended.
  mutating func read() throws(DocumentError) -> OfferedFile {
    guard let written = node.value("name") else { throw error("a <file> has no name", node) }
    guard let name = DocumentPath.relative(written) else {
      throw error("the name \(quote(written)) leads out of its directory", node)
    }
    let urls = urls()
    guard !urls.isEmpty else { throw error("the file \(quote(written)) has no URL that can be fetched", node) }
    var file = OfferedFile(urls: urls, name: name)
    if let size = node.child("size") {
      guard let count = Int64(size.trimmedText), count >= 0 else {
        throw error("the size of \(quote(written)) is not a number of bytes", size)
      }
      file.size = count
    }
    file.digest = try strongest(of: written)
    file.digestSource = file.digest.map { _ in .metalink }
    for pieces in node.all("pieces") + node.all("verification").flatMap({ $0.all("pieces") }) where file.pieces == nil {
      do throws(DocumentError) { file.pieces = try self.pieces(pieces, file.size, of: written) } catch { ignore(error) }
    }
    return file
  }

  private func error(_ reason: String, _ node: XMLNode) -> DocumentError {
    DocumentError(Metalink.kind, reason, line: node.line)
  }

  private mutating func ignore(_ error: DocumentError) {
    remarks.append(MetalinkFileReader.remark("ignored: \(error.reason)", error.line))
  }

  /// In the order of `priority`, where 1 is the best (RFC 5854 §4.2.16.2), or of version 3's `preference`, where 100 is
  /// the best.
  private func urls() -> [RequestURL] {
    let nodes =
      node.all("url").map { ($0, base) }
      + node.all("resources").flatMap { resources in resources.all("url").map { ($0, resources.base(on: base)) } }
    let ranked = nodes.enumerated().compactMap { index, found -> (rank: Int, index: Int, url: RequestURL)? in
      let (node, base) = found
      guard let url = DocumentURL.resolve(node.trimmedText, against: node.base(on: base)) else { return nil }
      let priority =
        node.value("priority").flatMap { Int($0) }
        ?? node.value("preference").flatMap { Int($0) }.map { -max($0, -.max) }
      return (priority ?? 999_999, index, url)
    }
    var seen: Set<RequestURL> = []
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.url).filter { seen.insert($0).inserted }
  }

  /// Ignores unknown algorithms.
  /// - Throws: ``DocumentError`` if all hashes are invalid.
  private mutating func strongest(of name: String) throws(DocumentError) -> DigestValue? {
    var best: DigestValue?
    var bad: [DocumentError] = []
    for node in node.all("hash") + node.all("verification").flatMap({ $0.all("hash") }) {
      guard let type = node.value("type"), let algorithm = DigestAlgorithm(named: type) else { continue }
      do throws(DigestParseError) {
        let digest = try DigestValue.parse("\(algorithm.rawValue)=\(node.trimmedText)")
        if digest.bytes.count > best?.bytes.count ?? 0 { best = digest }
      } catch {
        bad.append(self.error("a hash of \(quote(name)): \(error.message)", node))
      }
    }
    guard let first = bad.first else { return best }
    // The author intended verification, and no valid hash is left (P12).
    guard best != nil else { throw first }
    for error in bad { ignore(error) }
    return best
  }

  /// `nil` if the algorithm is unknown.
  private func pieces(_ node: XMLNode, _ size: Int64?, of name: String) throws(DocumentError) -> PieceHashes? {
    guard let algorithm = node.value("type").flatMap({ DigestAlgorithm(named: $0) }) else { return nil }
    guard let length = node.value("length").flatMap({ Int64($0) }), length > 0 else {
      throw error("the pieces of \(quote(name)) have no length", node)
    }
    // Version 3 numbers its hashes; version 4 lists them in order.
    let nodes = node.all("hash").enumerated().sorted { one, other in
      let (a, b) = (one.element.value("piece").flatMap { Int($0) }, other.element.value("piece").flatMap { Int($0) })
      return (a ?? one.offset, one.offset) < (b ?? other.offset, other.offset)
    }.map(\.element)
    var hashes: [String] = []
    for hash in nodes {
      do throws(DigestParseError) {
        hashes.append(try DigestValue.parse("\(algorithm.rawValue)=\(hash.trimmedText)").hex)
      } catch {
        throw self.error("a piece of \(quote(name)): \(error.message)", hash)
      }
    }
    let pieces = PieceHashes(algorithm: algorithm, length: length, hashes: hashes)
    if let size, !pieces.fits(size) {
      throw error("the pieces of \(quote(name)) do not cover its \(size) bytes", node)
    }
    return pieces
  }
}
