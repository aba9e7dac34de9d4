// Checks what a source answered: every path, URL, size and text in it comes from outside.

internal import DrayCore

extension SourceAnswer {
  static let kind = "an answer of a source"

  /// The maximum number of files in an answer.
  package static let most = 1_000_000
  /// The maximum length of a path in the source and of the text of a name, in bytes.
  static let longest = 4096
  /// The maximum length of a file's path below the directory, in bytes; the same as for files of a listing.
  static let longestName = 3000

  /// Returns the answer without the files that cannot be fetched, or that are not below the directory of their source.
  /// Each of them adds a remark.
  /// - Parameter name: The name that was asked for.
  /// - Throws: ``DocumentError`` if no file is left, or if the name or the revision cannot be used.
  package func checked(_ name: SourceName) throws(DocumentError) -> SourceAnswer {
    guard pinned.scheme == name.scheme, pinned.objection == nil else {
      throw DocumentError(SourceAnswer.kind, "its exact name belongs to another source")
    }
    if let revision, !SourceAnswer.isText(revision, longest: 512) {
      throw DocumentError(SourceAnswer.kind, "its revision is not a printable text of at most 512 bytes")
    }
    guard entries.count <= SourceAnswer.most else {
      throw DocumentError(SourceAnswer.kind, "it has more than \(SourceAnswer.most) files")
    }
    var answer = SourceAnswer(pinned: pinned, revision: revision, entries: [])
    answer.remarks = remarks.map { TextSafety.escaped(String($0.prefix(500))) }
    (answer.directory, answer.hasNewFields) = (directory, hasNewFields)
    answer.documents = documents
    answer.entries.reserveCapacity(entries.count)
    var paths: Set<String> = []
    var names: Set<String> = []
    for entry in entries {
      do throws(Objection) {
        var checked = try entry.checked()
        guard paths.insert(checked.path).inserted, names.insert(checked.file.name ?? "").inserted else {
          throw Objection("its path is that of another file")
        }
        for path in checked.arrangement?.paths ?? [] {
          guard names.insert(path).inserted else {
            throw Objection("the path of its link is that of another file")
          }
        }
        if checked.file.digest != nil {
          checked.file.digestSource = checked.file.digestSource ?? DigestSource(rawValue: name.scheme)
        }
        answer.entries.append(checked)
      } catch {
        answer.remarks.append("\(TextSafety.escaped(String(entry.path.prefix(200)))) is left out: \(error.reason)")
      }
    }
    guard !answer.entries.isEmpty || entries.isEmpty else {
      throw DocumentError(SourceAnswer.kind, "no file in it can be used: \(answer.remarks.last ?? "")")
    }
    return answer
  }

  /// Names that begin with a dot and are kept, because repositories have them, and no program runs what is in them.
  static let harmless: Set<String> = [".gitattributes", ".gitignore", ".gitkeep", ".gitmodules"]

  static func isText(_ text: String, longest: Int) -> Bool {
    !text.isEmpty && text.utf8.count <= longest && TextSafety.escaped(text) == text
  }

  /// The reason why a file is left out, as a clause.
  struct Objection: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }
}

extension SourceAnswer.Entry {
  /// Returns the entry with a safe name, and with URLs that a document may contain.
  fileprivate func checked() throws(SourceAnswer.Objection) -> SourceAnswer.Entry {
    var entry = self
    guard SourceAnswer.isText(path, longest: SourceAnswer.longest) else {
      throw .init("its path is empty, too long, or not printable")
    }
    guard let name = DocumentPath.safe(file.name ?? path, keeping: SourceAnswer.harmless) else {
      throw .init("its path leads out of the directory")
    }
    guard name.utf8.count <= SourceAnswer.longestName else { throw .init("its path is too long") }
    entry.file.name = name
    entry.title = title.flatMap { SourceAnswer.isText($0, longest: SourceAnswer.longest) ? $0 : nil }
    entry.file.urls = file.urls.filter { DocumentURL.schemes.contains($0.scheme) }
    guard !entry.file.urls.isEmpty else { throw .init("it has no URL that can be fetched") }
    guard file.size ?? 0 >= 0 else { throw .init("its size is negative") }
    if let pieces = file.pieces, let size = file.size, !pieces.fits(size) {
      throw .init("its pieces do not cover its \(size) bytes")
    }
    for field in file.headers {
      guard (try? FieldLine.check(field.name)) != nil, FieldRule.isValue(field.value) else {
        throw .init("a header field of its URL cannot be sent")
      }
    }
    for path in arrangement?.paths ?? [] {
      guard DocumentPath.safe(path) == path, path != name, path.utf8.count <= SourceAnswer.longestName else {
        throw .init("the path of its link leads out of the directory")
      }
    }
    return entry
  }
}

extension SourceName {
  /// Why the name cannot be asked for, as a clause; `nil` if it can.
  package var objection: String? {
    if rest.isEmpty { return "nothing follows \(scheme):" }
    if text.utf8.count > SourceAnswer.longest { return "the name is too long" }
    return TextSafety.escaped(text) == text ? nil : "the name contains characters that are not printable"
  }
}
