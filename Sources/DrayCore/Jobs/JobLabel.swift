// The labels of jobs: words from users, by which runners and lists select jobs.

/// A label: a word, or a name with a value (`gpu`, `site=north`).
public struct JobLabel: Sendable, Hashable {
  /// The label as it was written.
  public let text: String

  /// The maximum length in bytes.
  public static let limit = 128
  /// The maximum number of labels of one job.
  public static let most = 32

  private init(checked text: String) { self.text = text }

  /// Parses a label. Names and values consist of letters, digits, `.`, `_`, `-` and `/`, like labels in Kubernetes, so
  /// that they need no escaping in shells, stores and lists.
  /// - Throws: The reason why the text is not a label.
  public static func parse(_ text: String) throws(LabelProblem) -> JobLabel {
    guard !text.isEmpty else { throw LabelProblem(reason: "it is empty: write a word, or NAME=VALUE") }
    guard text.utf8.count <= limit else { throw LabelProblem(reason: "it is longer than \(limit) bytes") }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty else { throw LabelProblem(reason: "it has no name before the =") }
    for part in parts {
      guard part.utf8.allSatisfy(isAllowed) else {
        throw LabelProblem(reason: "it may have only letters, digits, '.', '_', '-' and '/', and one =")
      }
    }
    return JobLabel(checked: text)
  }

  /// Parses several texts, each of which may be a list separated by commas. Duplicates are dropped.
  /// - Throws: The first problem, with the word that has it.
  public static func parse(all texts: [String]) throws(LabelProblem) -> [JobLabel] {
    var labels: [JobLabel] = []
    for word in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let label: JobLabel
      do throws(LabelProblem) { label = try parse(String(word)) } catch {
        throw LabelProblem(word: String(word), reason: error.reason)
      }
      if !labels.contains(label) { labels.append(label) }
    }
    guard labels.count <= most else { throw LabelProblem(reason: "a job has at most \(most) labels") }
    return labels
  }

  /// Whether a job with the labels `own` has every label in `wanted`.
  public static func matches(_ own: [JobLabel]?, all wanted: [JobLabel]) -> Bool {
    wanted.allSatisfy { own?.contains($0) ?? false }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"): true
    default: false
    }
  }
}

/// The reason why a text is not a label.
public struct LabelProblem: Error, Sendable, Equatable {
  /// The word with the problem, if the text had several.
  public var word: String?
  /// The reason, as a clause.
  public var reason: String

  /// Creates a description of a problem.
  public init(word: String? = nil, reason: String) { (self.word, self.reason) = (word, reason) }
}

extension JobLabel: Codable {
  /// Reads a label as a string.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    // The text is parsed again here, because a store may have been edited by hand. Nothing but a valid label may get
    // into an SQL text.
    self = try JobLabel.parse(text)
  }

  /// Writes the label as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
