// The values that the screen of `dray watch` shows besides jobs: questions, messages, and the details of one job.

internal import DrayKit
internal import TerminalUI

/// A question on the last row.
struct WatchPrompt: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    case add, filter, limit
    case limitJob(JobID)
    case remove(JobID)
  }

  var purpose: Purpose
  var text = ""

  /// The typed lines, without empty ones.
  var lines: [String] {
    text.split(whereSeparator: \.isNewline).map { line in
      String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }.filter { !$0.isEmpty }
  }
}

struct WatchMessage: Equatable {
  /// The unescaped text. Drawing escapes it.
  var text: String
  var isError = false
}

/// Everything about one job, as last read.
struct WatchDetails: Equatable, Sendable {
  var id: JobID
  /// The lines of the page of `dray show`.
  var lines: [String]
  /// The durable parts.
  var map: FileMap?

  init(id: JobID, lines: [String], map: FileMap? = nil) { (self.id, self.lines, self.map) = (id, lines, map) }

  init(id: JobID, page: String, map: FileMap?) {
    self.init(
      id: id, lines: page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), map: map)
  }
}
