// A case of the fault matrix as values: servers, steps, expectations.

import FaultServer

/// One file of `Tests/Cases`.
struct FaultCase {
  /// The row of the matrix.
  let row: String
  /// The reason for the case, in one line.
  let why: String
  /// The largest number of connections to a file; nil for the program's default.
  let connections: Int?
  /// Options of a small file system for the download directory; nil for none.
  let disk: String?
  let tls: TLS?
  /// Further needs: names of tools, or `mount` and `root` for root's privileges.
  let needs: [String]
  /// A text that must not appear anywhere.
  let secret: String?
  let serves: [Serve]
  let steps: [Step]
  let expect: Expectation

  private static let rights: Set = ["mount", "root"]
  /// Whether the case mounts a file system, or needs root's privileges.
  var needsRoot: Bool { disk != nil || !Self.rights.isDisjoint(with: needs) }
  /// The tools of `needs`.
  var tools: [String] { needs.filter { !Self.rights.contains($0) } }

  /// How TLS reaches the fault server.
  struct TLS {
    let certificate: Certificates.Kind
    /// Whether connections end with close_notify, as TLS requires.
    let notice: Bool
  }

  /// One of the two servers.
  enum Site: String {
    case main, other
  }

  /// The resource at a path.
  struct Serve {
    let site: Site
    let path: String
    let resource: Resource
  }

  /// A line of shell, and its expected outcome.
  struct Step {
    let line: Int
    let run: String
    let exits: [Exit]
    let says: [String]
    let saysNot: [String]
    let environment: [String: String?]
    let input: String?
    /// When `meanwhile` and `stop` happen; `nil` for at once.
    let moment: Moment?
    let meanwhile: String?
    let stop: [Int32]
    /// The limit of its peak memory, in bytes.
    let memory: Int64?
  }

  /// A point in the run of a program.
  enum Moment {
    /// This many bytes were received.
    case received(Int64)
    /// This many bytes are recorded durably.
    case durable(Int64)
    /// The last job waits for its next attempt.
    case waiting
    /// A path was requested.
    case requested(Site, String)
  }
}

/// The expectations after the last step.
struct Expectation {
  /// The expected file at a path.
  enum Entry: Equatable {
    case content(Content)
    case directory
    case link(String)
    case pipe
    case absent
  }

  /// The requests for a path.
  struct Asked {
    let site: FaultCase.Site
    let path: String
    let line: Int
    let requests: Requests
  }

  enum Requests {
    case count(ClosedRange<Int>)
    case each([RequestPattern])
  }

  /// The files of the download directory, without part files, and files elsewhere, by absolute paths.
  let files: [String: Entry]
  let filesLine: Int
  /// The number of part files.
  let parts: Int
  /// The states of the jobs; nil if the store must be refused.
  let states: [String]?
  let statesLine: Int
  /// Fields of the last job, by dotted names, as JSON writes their values.
  let job: [(name: String, value: String, line: Int)]
  let asked: [Asked]
  /// Whether the last step fetched exactly the bytes that were missing before it.
  let onlyMissing: Bool
}

/// The expected form of a request. Range and conditions must be absent unless listed.
struct RequestPattern {
  let line: Int
  /// Field names, lower case, with their values: nil for absent, "*" for any.
  var fields: [String: String?]
  var method = "GET"
  var target: String?
  var status: Int?
  var sent: Int64?
  /// The shortest time since the previous request, or since the first one for `since`, in seconds.
  var after: Double?
  var since: String?
  var carriesSecret: Bool?
  var isOptional = false
}
