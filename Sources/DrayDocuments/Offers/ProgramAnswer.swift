// Reads what a source's program answers: lines of JSON, one for each file. Every field is checked, and nothing is
// guessed.

internal import DrayCore

/// A program's answer to a ``ProgramRequest``.
package enum ProgramAnswer: Sendable, Equatable {
  case files(SourceAnswer)
  case refusal(Refusal)

  /// The program's own error.
  package struct Refusal: Sendable, Equatable {
    /// Printable and without secrets of URLs.
    package var reason: String
    /// The same for what the user can do.
    package var advice: String?
    /// Whether the program expects that the same request succeeds later.
    package var isTemporary: Bool

    package init(_ reason: String, advice: String? = nil, isTemporary: Bool = false) {
      (self.reason, self.advice, self.isTemporary) = (reason, advice, isTemporary)
    }
  }

  package static let entryLimit = 100_000
  /// In bytes.
  package static let lineLimit = 256 << 10

  /// Reads all lines. An error in any line refuses the whole answer.
  /// - Parameter name: The name that was asked for.
  /// - Throws: ``DocumentError`` with the number of the line.
  package static func parse(_ bytes: [UInt8], of name: SourceName) throws(DocumentError) -> ProgramAnswer {
    var reader = ProgramAnswerReader(name)
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      if let refusal = try reader.take(line, number) { return .refusal(refusal) }
    }
    return .files(reader.answer)
  }
}

private struct ProgramAnswerReader {
  private static let kind = "the answer of a source"
  private static let fields = [
    "path", "url", "urls", "size", "digest", "headers", "referer", "user-agent", "revision",
  ]
  private static let nameFields = ["name", "revision"]
  private static let errorFields = ["error", "advice", "retry"]
  private static let urlLimit = 32
  private static let headerLimit = 64
  /// In bytes, of a path, a revision, and a name.
  private static let pathLimit = 1024, revisionLimit = 256, nameLimit = 4096
  /// In scalars.
  private static let messageLimit = 1000

  private(set) var answer: SourceAnswer
  private let name: SourceName
  /// The paths of the files, and of their directories.
  private var files: Set<String> = []
  private var directories: Set<String> = []
  /// The names of the header fields that were left out.
  private var dropped: Set<String> = []
  private var isPinned = false

  init(_ name: SourceName) {
    self.name = name
    answer = SourceAnswer(pinned: name, revision: nil, entries: [])
  }

  /// Returns the program's error if the line is one.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ line: Int) throws(DocumentError) -> ProgramAnswer.Refusal? {
    guard bytes.count <= ProgramAnswer.lineLimit else {
      throw error("it is longer than \(ProgramAnswer.lineLimit >> 10) KiB", line)
    }
    let node = try JSONNode.parse(bytes, kind: ProgramAnswerReader.kind, line: line)
    guard let members = node.object else { throw error("it is \(node.kind), but must be an object", line) }
    if node["error"] != nil {
      try known(members, ProgramAnswerReader.errorFields, line)
      return try refusal(node, line)
    }
    if node["name"] != nil {
      try known(members, ProgramAnswerReader.nameFields, line)
      try pin(node, line)
      return nil
    }
    try known(members, ProgramAnswerReader.fields, line)
    guard answer.entries.count < ProgramAnswer.entryLimit else {
      throw error("there are more than \(ProgramAnswer.entryLimit) files", line)
    }
    answer.entries.append(try entry(node, line))
    return nil
  }

  private func error(_ reason: String, _ line: Int) -> DocumentError {
    DocumentError(ProgramAnswerReader.kind, reason, line: line)
  }

  private func known(_ members: [JSONNode.Member], _ names: [String], _ line: Int) throws(DocumentError) {
    for member in members where !names.contains(member.name) {
      throw error("it has no field \(quote(member.name)): \(NearestName.advice(member.name, among: names))", line)
    }
  }

  /// Returns the text of a field; `nil` if it is missing or `null`.
  private func text(_ node: JSONNode, _ field: String, _ line: Int, limit: Int) throws(DocumentError) -> String? {
    guard let value = node[field], value.value != .null else { return nil }
    guard let text = value.string else { throw error("\"\(field)\" is \(value.kind), but must be a string", line) }
    guard !text.isEmpty else { throw error("\"\(field)\" is empty", line) }
    guard text.utf8.count <= limit else { throw error("\"\(field)\" is longer than \(limit) bytes", line) }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw error("\"\(field)\" contains a control character", line)
    }
    return text
  }

  // MARK: Lines that are no files

  private func refusal(_ node: JSONNode, _ line: Int) throws(DocumentError) -> ProgramAnswer.Refusal {
    func words(_ field: String) throws(DocumentError) -> String? {
      guard let value = node[field], value.value != .null else { return nil }
      guard let text = value.string else { throw error("\"\(field)\" is \(value.kind), but must be a string", line) }
      let start = text.start(ProgramAnswerReader.messageLimit)
      let shown = URLRedaction.redactingURLs(in: String(start.trimmingSpaces()))
      return shown.isEmpty ? nil : TextSafety.escaped(shown)
    }
    guard let reason = try words("error") else { throw error("\"error\" is empty: say what failed", line) }
    var refusal = ProgramAnswer.Refusal(reason, advice: try words("advice"))
    if let retry = node["retry"] {
      guard case .bool(let isTemporary) = retry.value else { throw error("\"retry\" must be true or false", line) }
      refusal.isTemporary = isTemporary
    }
    return refusal
  }

  private mutating func pin(_ node: JSONNode, _ line: Int) throws(DocumentError) {
    guard let text = try text(node, "name", line, limit: ProgramAnswerReader.nameLimit),
      let pinned = SourceName(text, schemes: [name.scheme]), !pinned.rest.isEmpty
    else { throw error("\"name\" must be a name that begins with \(name.scheme):", line) }
    guard !isPinned || answer.pinned == pinned else { throw error("it has another \"name\" than a line before", line) }
    (isPinned, answer.pinned) = (true, pinned)
    try revision(node, line)
  }

  private mutating func revision(_ node: JSONNode, _ line: Int) throws(DocumentError) {
    guard let text = try text(node, "revision", line, limit: ProgramAnswerReader.revisionLimit) else { return }
    guard answer.revision == nil || answer.revision == text else {
      throw error("its \"revision\" differs from that of a line before: all files of an answer have one", line)
    }
    answer.revision = text
  }

  // MARK: Files

  private mutating func entry(_ node: JSONNode, _ line: Int) throws(DocumentError) -> SourceAnswer.Entry {
    guard let path = try text(node, "path", line, limit: ProgramAnswerReader.pathLimit) else {
      throw error("\"path\" is missing", line)
    }
    guard let safe = DocumentPath.safe(path) else {
      throw error("the path \(quote(path)) must be relative, without empty parts and without ..", line)
    }
    try reserve(safe, path, line)
    var file = OfferedFile(urls: try urls(node, line), name: safe)
    if let size = node["size"], size.value != .null {
      guard let count = size.integer, count >= 0 else { throw error("\"size\" must be a number of bytes", line) }
      file.size = count
    }
    file.digest = try digest(node, line)
    file.digestSource = file.digest.map { _ in DigestSource(rawValue: name.scheme) }
    file.userAgent = try text(node, "user-agent", line, limit: ProgramAnswerReader.pathLimit)
    file.referer = try text(node, "referer", line, limit: ProgramAnswerReader.nameLimit)
    try addHeaders(node, line, to: &file)
    try revision(node, line)
    return SourceAnswer.Entry(file, path: path)
  }

  /// A path must not be that of another file, or of another file's directory.
  private mutating func reserve(_ safe: String, _ path: String, _ line: Int) throws(DocumentError) {
    guard files.insert(safe).inserted else {
      throw error("another file has the same path, \(quote(path))", line)
    }
    guard !directories.contains(safe) else {
      throw error("the path \(quote(path)) is the directory of another file", line)
    }
    for (index, byte) in zip(safe.utf8.indices, safe.utf8) where byte == UInt8(ascii: "/") {
      let directory = String(safe[..<index])
      guard !files.contains(directory) else {
        throw error("\(quote(directory)) is a file, and so cannot be the directory of \(quote(path))", line)
      }
      directories.insert(directory)
    }
  }

  private func urls(_ node: JSONNode, _ line: Int) throws(DocumentError) -> [RequestURL] {
    var texts: [String] = []
    if let url = node["url"], url.value != .null {
      guard let text = url.string else { throw error("\"url\" is \(url.kind), but must be a string", line) }
      texts.append(text)
    }
    if let all = node["urls"], all.value != .null {
      guard let nodes = all.array else { throw error("\"urls\" is \(all.kind), but must be an array", line) }
      for node in nodes {
        guard let text = node.string else { throw error("\"urls\" contains \(node.kind), not only strings", line) }
        texts.append(text)
      }
    }
    guard !texts.isEmpty else { throw error("\"url\" or \"urls\" is missing", line) }
    guard texts.count <= ProgramAnswerReader.urlLimit else {
      throw error("it has more than \(ProgramAnswerReader.urlLimit) URLs", line)
    }
    var urls: [RequestURL] = []
    for text in texts {
      guard let url = DocumentURL.resolve(text, against: nil) else {
        let schemes = DocumentURL.schemes.sorted().joined(separator: ", ")
        let shown = URLRedaction.redacted(text.start(200))
        throw error("the URL \(quote(shown)) cannot be used: write an absolute one (\(schemes))", line)
      }
      if !urls.contains(url) { urls.append(url) }
    }
    return urls
  }

  /// Returns the strongest digest.
  private func digest(_ node: JSONNode, _ line: Int) throws(DocumentError) -> DigestValue? {
    guard let value = node["digest"], value.value != .null else { return nil }
    var written: [String] = []
    if let text = value.string {
      written = [text]
    } else {
      guard let members = value.object else {
        throw error("\"digest\" is \(value.kind), but must be an object such as {\"sha-256\": \"HEX\"}", line)
      }
      for member in members {
        guard let digits = member.value.string else {
          throw error("the digest \(quote(member.name)) is \(member.value.kind), but must be a string", line)
        }
        written.append("\(member.name)=\(digits)")
      }
    }
    guard !written.isEmpty else { throw error("\"digest\" is empty", line) }
    var best: DigestValue?
    for text in written {
      do throws(DigestParseError) {
        let digest = try DigestValue.parse(text)
        if digest.algorithm.rank < best?.algorithm.rank ?? .max { best = digest }
      } catch {
        throw self.error("\"digest\": \(error.message)", line)
      }
    }
    return best
  }

  /// Adds the header fields. The value of a field may be a secret, and so appears in no message.
  private mutating func addHeaders(
    _ node: JSONNode, _ line: Int, to file: inout OfferedFile
  ) throws(DocumentError) {
    guard let value = node["headers"], value.value != .null else { return }
    guard let members = value.object else { throw error("\"headers\" is \(value.kind), but must be an object", line) }
    guard members.count <= ProgramAnswerReader.headerLimit else {
      throw error("it has more than \(ProgramAnswerReader.headerLimit) header fields", line)
    }
    for member in members {
      guard FieldRule.isToken(member.name.utf8) else {
        throw error("\(quote(member.name)) is not the name of a header field", line)
      }
      guard let text = member.value.string else {
        throw error("the header field \(quote(member.name)) is \(member.value.kind), but must be a string", line)
      }
      guard FieldRule.isValue(text) else {
        throw error("the header field \(quote(member.name)) contains a control character", line)
      }
      switch member.name.lowercased() {
      case "user-agent": file.userAgent = file.userAgent ?? text
      case "referer": file.referer = file.referer ?? text
      case let name where FieldRule.isOwn(name, from: .client):
        guard dropped.insert(name).inserted else { continue }
        answer.remarks.append("left out: \(member.name) (dray sets it itself)")
      default: file.headers.append(HeaderField(member.name, String(text.trimmingSpaces())))
      }
    }
  }
}
