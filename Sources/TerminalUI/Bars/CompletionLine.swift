// The wording of a complete file.

internal import DrayCore

/// The verified digest of a file.
public struct Proof: Sendable, Hashable {
  /// The algorithm of the digest: `sha-256`.
  public var algorithm: String
  /// The source of the expected digest: `SHA256SUMS`; `nil` if the user gave it.
  public var source: String?

  public init(_ algorithm: String, source: String?) { (self.algorithm, self.source) = (algorithm, source) }

  /// The long form: `sha-256 verified (SHA256SUMS)`.
  var words: String { short + (source.map { " (\($0))" } ?? "") }
  /// The short form: `sha-256 verified`.
  var short: String { "\(algorithm) verified" }
}

/// Returns the line for a complete job, the only place where it is worded.
public enum CompletionLine {
  /// Returns the line above the bars: `✓ name  300 MiB in 12 s (25 MiB/s), sha-256 verified`, or for a job without a
  /// file its note: `✓ name  sent 300 MiB: 201 Created, in 12 s`.
  /// - Parameters:
  ///   - seconds: The seconds since the job started in this run.
  ///   - transferred: The number of bytes received in this run.
  public static func onTerminal(
    _ item: BarItem, seconds: Double, transferred: Int64, profile: TerminalProfile
  ) -> String {
    let style = Style(profile)
    let mark = style.green(profile.unicode ? "✓" : "done:")
    let name = item.link.map { style.hyperlink(item.name, $0) } ?? item.name
    if let note = item.note { return "\(mark) \(name)  \(note), in \(TimeText.elapsed(seconds))" }
    var words = "\(mark) \(name)  \(ByteText.size(item.received)) in \(TimeText.elapsed(seconds))"
    if transferred > 0, seconds >= 0.1 { words += " (\(ByteText.rate(Double(transferred) / seconds)))" }
    return words + (item.reused.map { ", " + $0.words } ?? "") + (item.proof.map { ", " + $0.short } ?? "")
  }

  /// Returns the line in a log: `[3] name: complete, sha-256 verified (SHA256SUMS), 300.0 MiB in 12 s`. Bytes that
  /// were found on this machine come first: `reused 250 of 300 MiB`. A note takes the place of the size: `[3] name: complete, sent 3 MiB: 201 Created in 2 s`.
  /// - Parameter seconds: The seconds since the start; `nil` if unknown.
  public static func inLog(_ item: BarItem, seconds: Double?) -> String {
    let time = seconds.map { " in " + TimeText.elapsed($0) } ?? ""
    if let note = item.note {
      return "[\(item.id)] \(ControlText.printable(item.name)): complete, \(ControlText.printable(note))\(time)"
    }
    let proof = item.proof.map { ControlText.printable($0.words) + ", " } ?? ""
    let size = ByteCount.text(item.received)
    let reused = item.reused.map { $0.words + ", " } ?? ""
    return "[\(item.id)] \(ControlText.printable(item.name)): complete, \(reused)\(proof)\(size)\(time)"
  }
}
