// What is worth knowing of a job that went well, as one text: in the store, in JSON, and to its user.

/// The notes of one job. That it started over stands last, so that the rest can be told alone where that was told when it
/// happened.
public enum JobNote {
  private static let mark = "started over: "

  /// The note that it started over, and why.
  public static func startedOver(_ reason: StartOver) -> String { mark + reason.text }

  /// All `notes`, and that it started over; `nil` if there is nothing to say.
  public static func joined(_ notes: [String], startedOver reason: StartOver?) -> String? {
    let all = notes + (reason.map { [startedOver($0)] } ?? [])
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// `note`, and before it `more`.
  public static func adding(_ more: String, to note: String?) -> String { note.map { "\(more); \($0)" } ?? more }

  /// What `note` says beside that it started over; `nil` if that is all.
  public static func withoutStartOver(_ note: String) -> String? {
    if note.hasPrefix(mark) { return nil }
    return note.firstRange(of: "; " + mark).map { String(note[..<$0.lowerBound]) } ?? note
  }
}
