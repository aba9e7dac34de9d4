// Reads index pages in JSON: nginx (`autoindex_format json`), Caddy (`file_server browse`) and serve-index.

internal import DrayCore

enum JSONIndex {
  static func parse(_ bytes: [UInt8], of directory: RequestURL) throws(DocumentError) -> Listing {
    let root = try JSONNode.parse(bytes, kind: HTMLIndex.kind)
    guard let entries = root.array else {
      throw DocumentError(
        HTMLIndex.kind, "its JSON is \(root.kind), where nginx and Caddy have an array", line: root.line)
    }
    var listing = Listing()
    listing.hasNamesOnly = entries.allSatisfy { $0.string != nil }
    for entry in entries {
      if listing.hasNamesOnly, let name = entry.string {
        listing.add(name.utf8, in: directory, isDirectory: false, ListedFacts(), isOpen: true)
        continue
      }
      // In Caddy, names of directories end with a slash.
      guard var name = entry["name"]?.string, let isDirectory = isDirectory(entry) else {
        if entry["name"]?.string != nil, entry["type"]?.string != nil {
          listing.others += 1
          continue
        }
        throw DocumentError(
          HTMLIndex.kind, "its JSON has an element without the fields of a file", line: entry.line)
      }
      if isDirectory, name.hasSuffix("/") { name.removeLast() }
      var facts = ListedFacts()
      if !isDirectory {
        facts.size = entry["size"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
        facts.modified = (entry["mtime"] ?? entry["mod_time"])?.string.flatMap { FeedDate.parse($0) }.map { Int64($0) }
      }
      listing.add(name.utf8, in: directory, isDirectory: isDirectory, facts)
    }
    return listing
  }

  /// `nil` if it is neither a directory nor a file.
  private static func isDirectory(_ entry: JSONNode) -> Bool? {
    if case .bool(let flag)? = entry["is_dir"]?.value { return flag }
    return switch entry["type"]?.string {
    case "directory": true
    case "file": false
    default: nil
    }
  }
}
