// Joins the notes on a successful job into one text, for the store, JSON and messages.

/// The notes of a job. The note on starting over comes last, so that it can be cut off where the restart was already
/// reported.
public enum JobNote {
  private static let mark = "started over: "

  /// Returns the note on starting over, with the reason.
  public static func startedOver(_ reason: StartOver) -> String { mark + reason.text }

  /// Whether a note says that the job started over after a 416.
  public static func saysUnsatisfied(_ note: String?) -> Bool {
    note?.contains(mark + StartOver.unsatisfiedText) ?? false
  }

  /// Joins notes, the one on starting over last; `nil` if there are none.
  public static func joined(_ notes: [String], startedOver reason: StartOver?) -> String? {
    let all = notes + (reason.map { [startedOver($0)] } ?? [])
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// Puts `more` before a note.
  public static func adding(_ more: String, to note: String?) -> String { note.map { "\(more); \($0)" } ?? more }

  /// Drops the note on starting over; `nil` if there is no other note.
  public static func withoutStartOver(_ note: String) -> String? {
    if note.hasPrefix(mark) { return nil }
    return note.firstRange(of: "; " + mark).map { String(note[..<$0.lowerBound]) } ?? note
  }
}
