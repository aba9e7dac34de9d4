// The remarks on a successful job as one text: in the store, in JSON, and in messages.

/// The notes of one job. That it started over is last, so that the rest can be shown alone if that was reported when it
/// happened.
public enum JobNote {
  private static let mark = "started over: "

  /// The note that it started over, and why.
  public static func startedOver(_ reason: StartOver) -> String { mark + reason.text }

  /// Whether the note says that the job started over after a 416.
  public static func saysUnsatisfied(_ note: String?) -> Bool {
    note?.contains(mark + StartOver.unsatisfiedText) ?? false
  }

  /// All `notes`, and that it started over; `nil` if there is nothing to say.
  public static func joined(_ notes: [String], startedOver reason: StartOver?) -> String? {
    let all = notes + (reason.map { [startedOver($0)] } ?? [])
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// `note`, and before it `more`.
  public static func adding(_ more: String, to note: String?) -> String { note.map { "\(more); \($0)" } ?? more }

  /// `note` without the remark that it started over; `nil` if that is all.
  public static func withoutStartOver(_ note: String) -> String? {
    if note.hasPrefix(mark) { return nil }
    return note.firstRange(of: "; " + mark).map { String(note[..<$0.lowerBound]) } ?? note
  }
}
