// Reads what `apt-get --print-uris` prints: `'URL' NAME SIZE ALGORITHM:HEX`, after lines for people.

internal import DrayCore

enum AptList {
  static let kind = "a list of apt-get --print-uris"
  static let source = DigestSource(rawValue: "apt's list")

  private struct Row {
    var url: Substring
    var name: String
    var size: String
    var digest: String?
  }

  /// Whether a line of apt comes before the first URL.
  static func isMeant(_ head: ListHead) -> Bool {
    head.lines.first { ListText.beginsURL($0) || row($0) != nil }.map { row($0) != nil } ?? false
  }

  /// Splits a line; `nil` for a line for people.
  private static func row(_ line: String) -> Row? {
    guard line.first == "'", let end = line.dropFirst().firstIndex(of: "'") else { return nil }
    let url = line[line.index(after: line.startIndex)..<end]
    let words = ListText.words(line[line.index(after: end)...])
    guard url.contains(":/"), (2...3).contains(words.count), words[1].utf8.allSatisfy(ListText.isDigit) else {
      return nil
    }
    return Row(url: url, name: words[0], size: words[1], digest: words.count == 3 ? words[2] : nil)
  }

  static func parse(_ bytes: [UInt8]) throws(DocumentError) -> FileList {
    var list = FileList()
    for line in try ListText.lines(bytes, kind: kind) {
      let text = String(line.text.trimmingSpaces())
      guard let row = row(text) else {
        // The lines for people are translated, so no text of theirs is known; but none has a URL at its start.
        guard !text.hasPrefix("'"), !ListText.beginsURL(text) else {
          throw DocumentError(kind, "\(quote(text)) is not 'URL' NAME SIZE DIGEST", line: line.number)
        }
        continue
      }
      guard let url = DocumentURL.resolve(String(row.url), against: nil) else {
        list.remark("\(quote(row.url)) cannot be fetched: left out", line: line.number)
        continue
      }
      guard let name = DocumentPath.safe(row.name), name == row.name, !name.contains("/") else {
        throw DocumentError(kind, "\(quote(row.name)) is not a plain name of a file", line: line.number)
      }
      guard let size = Int64(row.size) else {
        throw DocumentError(kind, "the size \(quote(row.size)) is not a number of bytes", line: line.number)
      }
      var file = OfferedFile(urls: [url], name: name)
      if let digest = row.digest {
        let written = digest.lowercased().hasPrefix("md5sum:") ? "md5:" + digest.dropFirst(7) : digest
        file.digest = try ListText.digest(written, "the digest of \(quote(name))", kind: kind, line: line.number)
        file.digestSource = source
      }
      // apt writes 0 if it does not know the size.
      if size > 0 || file.digest != nil { file.size = size }
      list.append(file)
    }
    return list
  }
}
