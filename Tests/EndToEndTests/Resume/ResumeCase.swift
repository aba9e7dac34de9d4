// One row of the Resume table of CASES.md: what the server does, what dray must do.

import FaultServer
import Testing

/// A transfer that is stopped half-way and run again.
struct ResumeCase: Sendable, CustomTestStringConvertible {
  /// What is in the download directory at the end.
  enum Result: Sendable {
    /// The target, exactly this version.
    case version(Version)
    /// The part file, for a later run.
    case kept
    /// Nothing.
    case nothing
  }

  /// A request of the second run.
  enum Ask: Sendable, Equatable {
    /// From zero, without conditions.
    case whole
    /// `Range`, with this `If-Range`.
    case range(ifRange: String?)
    /// `Range`, with this `If-Match`.
    case match(String)

    init(_ request: SeenRequest) {
      if request["Range"] == nil {
        self = .whole
      } else if let tag = request["If-Match"] {
        self = .match(tag)
      } else {
        self = .range(ifRange: request["If-Range"])
      }
    }
  }

  /// The row of CASES.md.
  let id: String

  /// What the server does, in a few words.
  let what: String

  /// What is served at first.
  var first = ResumeCase.v1

  /// The `Date` of all answers.
  var date = FaultServer.DateField.now

  /// What is served in the second run, when it is another version.
  var second: Version?

  /// How the second run is answered.
  var script: [Answer] = []

  /// Options of both runs.
  var options: [String] = []

  /// How the first run ends.
  var stop = Stop.interrupt

  /// The exit status of the second run.
  var status: Int32 = 0

  /// What is there afterwards.
  var result = Result.version(ResumeCase.v1)

  /// What the second run must ask, from its first request on.
  var asks: [Ask] = []

  /// How many requests the second run makes at most; nil for just those of `asks`.
  var atMost: Int?

  /// Part of what it must say.
  var says: String?

  /// Whether just the missing bytes travel in the second run.
  var onlyMissing = false

  var testDescription: String { "\(id) \(what)" }
}

extension ResumeCase {
  static let size: Int64 = 1 << 20
  static let half: Int64 = 1 << 19

  static let v1 = Version.named("v1", size: size)
  static let v2 = Version.named("v2", size: size)
  static let resume = Ask.range(ifRange: "\"v1\"")
  static let startedOver = "started over"

  /// A content with other validators than its own.
  static func v(_ version: Version, etag: String?, lastModified: String? = nil) -> Version {
    Version(version.content, etag: etag, lastModified: lastModified)
  }
}
