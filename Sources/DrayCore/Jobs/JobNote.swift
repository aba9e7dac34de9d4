// Joins the notes on a successful job into one text, for the store, JSON and messages.

/// The notes of a job. The note about starting over comes last, so that it can be cut off where it was already
/// reported.
package enum JobNote {
  private static let mark = "started over: "

  /// Returns the note that a job started over, with the reason.
  package static func startedOver(_ reason: StartOver) -> String { mark + reason.text }

  /// Whether a note says that the job started over after a 416.
  package static func saysUnsatisfied(_ note: String?) -> Bool {
    note?.contains(mark + StartOver.unsatisfiedText) ?? false
  }

  /// Joins notes, with the one about starting over at the end; `nil` if there are none.
  package static func joined(_ notes: [String], startedOver reason: StartOver?) -> String? {
    let all = notes + (reason.map { [startedOver($0)] } ?? [])
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// Puts the note `more` before another note.
  package static func adding(_ more: String, to note: String?) -> String { note.map { "\(more); \($0)" } ?? more }

  /// Removes the note about starting over; `nil` if no other note remains.
  package static func withoutStartOver(_ note: String) -> String? {
    if note.hasPrefix(mark) { return nil }
    return note.firstRange(of: "; " + mark).map { String(note[..<$0.lowerBound]) } ?? note
  }
}
