// The parts of manual pages that are written by hand. docs/manual contains a text file for each page, in which a line
// `# TITLE` begins a section. The text is in the notation of Mdoc.body; `@{NAME}` stands for a value of ManualValues.

internal import DrayKit
internal import Posix

struct ManualTexts {
  typealias Section = (title: String, body: String)

  let directory: String

  /// Returns the sections of a page, which is named by its file, such as `dray-get.1`. A page without a text has no
  /// sections.
  /// - Throws: Kind `file` if the text cannot be read; kind `other` if it names a value that does not exist.
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

  /// Replaces the names of values in a text by the values.
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
