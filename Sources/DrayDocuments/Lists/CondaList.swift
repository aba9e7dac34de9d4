// Reads what `conda list --explicit` writes: `@EXPLICIT`, then a URL a line with its digest after a `#`.

internal import DrayCore

enum CondaList {
  static let kind = "an @EXPLICIT list of conda"
  static let mark = "@EXPLICIT"
  static let source = DigestSource(rawValue: "conda's list")

  static func parse(_ bytes: [UInt8]) throws(DocumentError) -> FileList {
    var list = FileList()
    var isOpen = false
    for line in try ListText.lines(bytes, kind: kind) {
      let text = line.text.trimmingSpaces()
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard isOpen else {
        // The list was recognised by this line.
        isOpen = text == mark
        continue
      }
      guard text != mark else { continue }
      let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      guard ListText.beginsURL(parts[0]) else {
        list.remark("\(quote(parts[0])) is on the machine of its author: left out", line: line.number)
        continue
      }
      guard !parts[0].contains(" "), let url = DocumentURL.resolve(String(parts[0]), against: nil) else {
        throw DocumentError(kind, "\(quote(parts[0])) is not a URL that can be used", line: line.number)
      }
      var file = OfferedFile(urls: [url], name: FileName.fromURLPath(url.path))
      if parts.count == 2 {
        file.digest = try ListText.digest(
          parts[1].trimmingSpaces().description, "the digest after #", kind: kind, line: line.number)
        file.digestSource = source
      }
      list.append(file)
    }
    return list
  }
}
