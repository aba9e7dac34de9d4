// Formats details as text: sections that consist of names and aligned values.

internal import DrayKit
internal import TerminalUI

/// A page of sections, to which lines are added one after another.
struct Sections {
  private(set) var text = ""
  private var lines: [(name: String, value: String)] = []
  private var title: String?
  private let columns: Int?

  /// - Parameter columns: The number of columns in the window, for which lines are broken between words; `nil` leaves
  ///   lines whole.
  init(columns: Int?) { self.columns = columns }

  mutating func section(_ name: String) {
    end()
    title = name
  }

  /// Adds a line; if the value is `nil`, nothing is added.
  mutating func add(_ name: String, _ value: String?) {
    if let value { lines.append((name, value)) }
  }

  mutating func finished() -> String {
    end()
    return text
  }

  private mutating func end() {
    defer { (lines, title) = ([], nil) }
    guard let title, !lines.isEmpty else { return }
    if !text.isEmpty { text += "\n" }
    text += title + "\n"
    let width = lines.map(\.name.count).max() ?? 0
    for (name, value) in lines {
      let gap = String(repeating: " ", count: width - name.count)
      let line = "  \(name)\(name.isEmpty ? "" : ":")\(gap) \(TextSafety.escaped(value))"
      for part in broken(line, at: width + 4) { text += part + "\n" }
    }
  }

  /// - Parameter start: The column of the values, at which further lines begin if there is room.
  private func broken(_ line: String, at start: Int) -> [String] {
    guard let columns else { return [line] }
    return TextFit.broken(line, width: columns, indent: columns > 2 * start ? start : 4)
  }
}
