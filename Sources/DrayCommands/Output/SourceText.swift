// `dray info NAME`: the files of a name as text.

internal import DrayDocuments
internal import DrayKit
internal import TerminalUI

enum SourceText {
  /// - Parameters:
  ///   - isVerbose: Whether the digests and URLs of the files are shown as well.
  ///   - columns: The number of columns in the window; `nil` leaves lines whole.
  static func text(_ answer: SourceAnswer, of name: SourceName, isVerbose: Bool, columns: Int?) -> String {
    var page = Sections(columns: columns)
    page.section("Name")
    page.add("name", SourceReference.shown(name.text))
    if answer.pinned != name { page.add("this version", SourceReference.shown(answer.pinned.text)) }
    page.add("revision", answer.revision)
    page.add("files", "\(answer.entries.count)")
    let unknown = answer.entries.count { $0.file.size == nil }
    page.add(
      "size", answer.size.map { "\($0) bytes (\(ByteText.size($0)))" + (unknown > 0 ? ", and \(unknown) unknown" : "") }
    )
    let unproved = answer.entries.count { $0.file.digest == nil }
    page.add("without digest", unproved > 0 ? "\(unproved)" : nil)
    for remark in answer.remarks { page.add("remark", remark) }
    page.section("Files")
    for entry in answer.entries {
      let size = entry.file.size.map(ByteText.size) ?? "?"
      page.add("", TextFit.paddedLeft(size, width: 10) + "  " + (entry.file.name ?? entry.path))
      guard isVerbose else { continue }
      page.add("", "            " + (entry.file.digest?.description ?? "no digest"))
      for url in entry.file.urls { page.add("", "            " + url.description) }
    }
    return page.finished()
  }
}
