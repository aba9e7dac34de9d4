// The lists that other programs write: lock files, requirements, manifests of packages and data sets.

internal import DrayCore

/// The files that a list of another program names.
package struct FileList: Sendable, Equatable {
  package enum Item: Sendable, Equatable {
    case file(OfferedFile)
    /// The name of files in a source (``SourceName``), with the line on which it is.
    case name(String, line: Int)
  }

  private struct Remark: Equatable {
    var text: String
    var line: Int?
  }

  package var items: [Item] = []
  /// The entries that were skipped, and why.
  private var left: [Remark] = []
  private var seen: Set<String> = []

  init() {}

  package static func == (one: FileList, other: FileList) -> Bool {
    one.items == other.items && one.left == other.left
  }

  package var files: [OfferedFile] { items.compactMap { if case .file(let file) = $0 { file } else { nil } } }
  package var names: [String] { items.compactMap { if case .name(let name, _) = $0 { name } else { nil } } }

  /// Adds a file. A file that is already in the list under this name is added once.
  mutating func append(_ file: OfferedFile) {
    guard seen.insert("\(file.name ?? "")\n\(file.urls.first?.string ?? "")").inserted else { return }
    items.append(.file(file))
  }

  mutating func append(name: String, line: Int) {
    if seen.insert(name).inserted { items.append(.name(name, line: line)) }
  }

  mutating func remark(_ text: String, line: Int? = nil) {
    left.append(Remark(text: TextSafety.escaped(text), line: line))
  }

  /// The entries that were skipped, and why, as printable lines.
  package var remarks: [String] { left.map { remark in (remark.line.map { "line \($0): " } ?? "") + remark.text } }

  /// Returns the remarks with the place of each: `FILE:LINE: text`.
  /// - Parameter name: How messages name the list.
  package func remarks(in name: String) -> [String] {
    left.map { remark in (remark.line.map { "\(name):\($0): " } ?? "\(name): ") + remark.text }
  }
}
