// That a file is complete, in words, wherever they are read.

/// What a file was checked with.
public struct Proof: Sendable, Hashable {
  /// The algorithm of the digest: `sha-256`.
  public var algorithm: String
  /// Who had said what it must be: `SHA256SUMS`; `nil` for who asked for the file.
  public var source: String?

  /// A digest that was compared, and its source.
  public init(_ algorithm: String, source: String?) { (self.algorithm, self.source) = (algorithm, source) }

  /// `sha-256 verified (SHA256SUMS)`.
  var words: String { short + (source.map { " (\($0))" } ?? "") }
  /// `sha-256 verified`.
  var short: String { "\(algorithm) verified" }
}

/// The line that says that a job is complete. Nothing else words it.
public enum CompletionLine {
  /// Above the bars: `✓ name  300 MiB in 12 s (25 MiB/s), sha-256 verified`.
  /// - Parameters:
  ///   - seconds: since the job began in this run.
  ///   - transferred: bytes that came in this run.
  public static func onTerminal(
    _ item: BarItem, seconds: Double, transferred: Int64, profile: TerminalProfile
  ) -> String {
    let style = Style(profile)
    let mark = style.green(profile.unicode ? "✓" : "done:")
    let name = item.link.map { style.hyperlink(item.name, $0) } ?? item.name
    var words = "\(mark) \(name)  \(ByteText.size(item.received)) in \(TimeText.elapsed(seconds))"
    if transferred > 0, seconds >= 0.1 { words += " (\(ByteText.rate(Double(transferred) / seconds)))" }
    return words + (item.proof.map { ", " + $0.short } ?? "")
  }

  /// In a log: `[3] name: complete, sha-256 verified (SHA256SUMS), 300.0 MiB in 12 s`.
  /// - Parameter seconds: since it began; `nil` if that was not seen.
  public static func inLog(_ item: BarItem, seconds: Double?) -> String {
    let time = seconds.map { " in " + TimeText.elapsed($0) } ?? ""
    let proof = item.proof.map { ControlText.printable($0.words) + ", " } ?? ""
    return
      "[\(item.id)] \(ControlText.printable(item.name)): complete, \(proof)\(ByteText.precise(item.received))\(time)"
  }
}
