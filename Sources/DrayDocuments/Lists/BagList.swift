// Reads BagIt's fetch.txt (RFC 8493 §2.2.3): URL, length and path of payload files; their digests are in manifests
// beside it.

internal import DrayCore

enum BagList {
  static let kind = "a fetch.txt of BagIt"
  static let source = DigestSource(rawValue: "the bag's manifest")

  /// The payload manifests, the strongest first.
  static let manifests: [(name: String, algorithm: DigestAlgorithm)] = [
    ("manifest-sha512.txt", .sha512), ("manifest-sha384.txt", .sha384), ("manifest-sha256.txt", .sha256),
    ("manifest-sha1.txt", .sha1), ("manifest-md5.txt", .md5),
  ]

  private struct Row {
    var url: String
    var length: String
    var path: String
  }

  /// Whether a line is an entry. A list of URLs has no such line: payload files are below `data/`.
  static func isEntry(_ line: String) -> Bool {
    row(line).map { ListText.beginsURL($0.url) && $0.path.hasPrefix("data/") } ?? false
  }

  /// Splits a line. The path may contain blanks.
  private static func row(_ line: String) -> Row? {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    var rest = line.unicodeScalars[...]
    func word() -> String {
      let word = rest.prefix { !isBlank($0) }
      rest = rest[word.endIndex...].drop(while: isBlank)
      return String(word)
    }
    let (url, length) = (word(), word())
    guard length == "-" || !length.isEmpty && length.utf8.allSatisfy(ListText.isDigit), !rest.isEmpty else {
      return nil
    }
    return Row(url: url, length: length, path: String(rest))
  }

  static func parse(_ bytes: [UInt8], _ companions: [String: [UInt8]]) throws(DocumentError) -> FileList {
    var list = FileList()
    let digests = try self.digests(companions)
    var unproved = 0
    for line in try ListText.lines(bytes, kind: kind) where !line.text.trimmingSpaces().isEmpty {
      guard let row = row(line.text) else {
        throw DocumentError(kind, "the line is not URL LENGTH PATH", line: line.number)
      }
      guard let url = DocumentURL.resolve(row.url, against: nil) else {
        throw DocumentError(kind, "\(quote(row.url)) is not a URL that can be used", line: line.number)
      }
      let path = decoded(row.path)
      guard path.hasPrefix("data/"), DocumentPath.safe(path) == path else {
        throw DocumentError(kind, "\(quote(row.path)) is not a path below data/", line: line.number)
      }
      var file = OfferedFile(urls: [url], name: path)
      if row.length != "-" {
        guard let size = Int64(row.length) else {
          throw DocumentError(kind, "the length \(quote(row.length)) is not a number of bytes", line: line.number)
        }
        file.size = size
      }
      file.digest = digests[path]
      file.digestSource = file.digest.map { _ in source }
      if file.digest == nil { unproved += 1 }
      list.append(file)
    }
    if unproved > 0 {
      let files = unproved == 1 ? "1 file is" : "\(unproved) files are"
      list.remark("\(files) in no manifest-sha256.txt or its like beside it: no digest is checked")
    }
    return list
  }

  /// Returns the strongest digest of each path.
  private static func digests(_ companions: [String: [UInt8]]) throws(DocumentError) -> [String: DigestValue] {
    var digests: [String: DigestValue] = [:]
    for (name, algorithm) in manifests {
      guard let bytes = companions[name] else { continue }
      for line in try ListText.lines(bytes, kind: "a payload manifest (\(name))") {
        let text = line.text.trimmingSpaces()
        guard !text.isEmpty else { continue }
        let digits = text.prefix { $0 != " " && $0 != "\t" && $0 != "*" }
        var path = text[digits.endIndex...].drop { $0 == " " || $0 == "\t" }
        if path.first == "*" { path = path.dropFirst() }
        guard !path.isEmpty, let digest = try? DigestValue.parse("\(algorithm.rawValue)=\(digits)") else {
          // The line is not one of fetch.txt, whose name the error has.
          throw DocumentError(kind, "line \(line.number) of \(name) beside it is not DIGEST PATH")
        }
        let key = decoded(String(path.hasPrefix("./") ? path.dropFirst(2) : path))
        if digests[key] == nil { digests[key] = digest }
      }
    }
    return digests
  }

  /// Decodes the three characters that are escaped in paths.
  private static func decoded(_ path: String) -> String {
    guard path.contains("%") else { return path }
    var result = ""
    var rest = path[...]
    while let character = rest.popFirst() {
      let code = character == "%" ? rest.prefix(2).uppercased() : ""
      switch code {
      case "0A": result += "\n"
      case "0D": result += "\r"
      case "25": result += "%"
      default:
        result.append(character)
        continue
      }
      rest = rest.dropFirst(2)
    }
    return result
  }
}
