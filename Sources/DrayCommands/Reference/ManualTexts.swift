// The written parts of manual pages. docs/manual has a text file per page, with a line `# TITLE` above each section.
// Sections are in the notation of Mdoc.body; `@{NAME}` is a value of ManualValues.

internal import DrayKit
internal import Posix

struct ManualTexts {
  typealias Section = (title: String, body: String)

  let directory: String

  /// Returns the sections of a page, by the name of its file, such as `dray-get.1`; none for a page without a text.
  /// - Throws: Kind `file` if the text cannot be read, `other` if it names an unknown value.
  func sections(_ page: String) throws(Failure) -> [Section] {
    let path = PathText.join(directory, page + ".txt")
    guard System.isFile(path) else { return [] }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try System.read(path, limit: 1 << 20) } catch {
      throw Failure(.file, path, "it cannot be read: \(error.text)")
    }
    var sections: [Section] = []
    let text = try ManualTexts.filled(String(decoding: bytes, as: UTF8.self), path)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# ") {
        sections.append((String(line.dropFirst(2)), ""))
      } else if !sections.isEmpty {
        sections[sections.count - 1].body += "\(line)\n"
      }
    }
    return sections
  }

  /// Replaces the names of values in a text.
  private static func filled(_ text: String, _ path: String) throws(Failure) -> String {
    var parts = text.split(separator: "@{", omittingEmptySubsequences: false)[...]
    var filled = String(parts.popFirst() ?? "")
    let values = ManualValues.all
    for part in parts {
      let name = String(part.prefix { $0 != "}" })
      guard let value = values[name] else { throw Failure(.other, path, "unknown value @{\(name)}") }
      filled += value
      filled += part.dropFirst(name.count + 1)
    }
    return filled
  }
}
