// What the screen of `dray watch` shows apart from the list: questions, messages, and the details of one job.

internal import DrayKit
internal import TerminalUI

/// A question on the last row of the screen.
struct WatchPrompt: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    case add, filter, limit
    case limitJob(JobID)
    case remove(JobID)
  }

  var purpose: Purpose
  var text = ""

  /// The lines that the user typed, without empty ones.
  var lines: [String] {
    text.split(whereSeparator: \.isNewline).map { line in
      String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }.filter { !$0.isEmpty }
  }
}

struct WatchMessage: Equatable {
  /// The text before it is escaped. The code that draws the text escapes it.
  var text: String
  var isError = false
}

/// Everything about one job, as it was last read.
struct WatchDetails: Equatable, Sendable {
  var id: JobID
  /// The lines of the page that `dray show` prints.
  var lines: [String]
  /// The parts of the file that are on the disk.
  var map: FileMap?

  init(id: JobID, lines: [String], map: FileMap? = nil) { (self.id, self.lines, self.map) = (id, lines, map) }

  init(id: JobID, page: String, map: FileMap?) {
    self.init(
      id: id, lines: page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), map: map)
  }
}
