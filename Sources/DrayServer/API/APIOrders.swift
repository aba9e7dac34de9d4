// The bodies of calls: their schemas, and how they are read.

internal import DrayCore
internal import DrayDocuments
internal import DrayStore

extension JobsWindow {
  init(_ input: APIInput) throws(APIFailure) {
    if let text = input.query["states"] {
      var states: Set<JobState> = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let state = JobState(rawValue: String(word)) else {
          let known = JobState.allCases.map(\.rawValue).joined(separator: ", ")
          throw .bad("\"\(TextSafety.escaped(String(word).start(40)))\" is not a state", advice: "use some of \(known)")
        }
        states.insert(state)
      }
      self.states = states
    }
    after = try input.number("after", 0...Int64.max) ?? 0
    limit = Int(try input.number("limit", 1...Int64(JobsWindow.most)) ?? Int64(JobsWindow.usual))
  }
}

extension AddOrder {
  /// The maximum length of an `Idempotency-Key`.
  static let longestKey = 128
  static let mostJobs = 20_000
  /// The maximum number of names that one call may look up at sources.
  static let mostNames = 100

  private static let directory = APIField("directory", .nullable(.text(most: 4096)), "Where the files go.")
  private static let longest = 16 << 20

  static let schema = APISchema.either([
    .object([APIField("jobs", .list(JobOrder.schema, least: 1, most: mostJobs), "The jobs.", isNeeded: true)]),
    .object([
      APIField(
        "metalink", .text(most: longest, isNeeded: true), "A Metalink document: each of its files is a job.",
        isNeeded: true),
      directory,
    ]),
    .object([
      APIField("list", .text(most: longest, isNeeded: true), "A list, as `dray add -i` reads it.", isNeeded: true),
      directory,
    ]),
    .object(
      [
        APIField("text", .text(most: longest, isNeeded: true), TypedLinks.meaning, isNeeded: true),
        APIField("areMirrors", .flag, "Whether the links are mirrors of one file."),
      ] + JobOrder.fields.filter { !["url", "mirrors"].contains($0.name) }),
  ])

  /// Reads a JSON value that matches ``schema``.
  init(_ node: JSONNode) {
    if let text = node["metalink"]?.string {
      self = .metalink(text, directory: node["directory"]?.string)
    } else if let text = node["list"]?.string {
      self = .list(text, directory: node["directory"]?.string)
    } else if let text = node["text"]?.string {
      self = .text(text, order: JobOrder(node), areMirrors: node["areMirrors"]?.isTrue ?? false)
    } else {
      self = .jobs((node["jobs"]?.array ?? []).map(JobOrder.init))
    }
  }
}

/// The body of a call that only reads links and adds nothing.
enum TypedLinks {
  /// The maximum number of links in an answer.
  static let most = 1000
  static let meaning =
    "Links as on the command line: several on a line, without a scheme, with patterns. Also a list or a Metalink document."

  static let schema = APISchema.object([
    APIField("text", .text(most: 16 << 20, isNeeded: true), meaning, isNeeded: true)
  ])
}

extension ChangeOrder {
  static let schema = APISchema.object(
    [
      APIField("url", .text(isNeeded: true), "Another URL of the same file."),
      APIField("user", .text(most: 1000, isNeeded: true), "The user name for the URL's server."),
      APIField("password", .text(most: 4096), "The password of that user; empty otherwise."),
      APIField("directory", .text(most: 4096, isNeeded: true), "Another directory: a root, or a folder below one."),
      APIField("output", .nullable(.text(most: 255, isNeeded: true)), "Another name; null lets the server name it."),
    ] + JobSettings.fields(JobSettings.changeable))

  /// Reads a JSON value that matches ``schema``.
  init(_ node: JSONNode) throws(APIFailure) {
    (url, settings) = (node["url"]?.string, JobSettings(node, JobSettings.changeable))
    (user, password) = (node["user"]?.string, node["password"]?.string)
    directory = node["directory"]?.string
    output = node["output"].map { QueueOrder.New(value: $0.string) }
    guard password == nil || user != nil else {
      throw .bad("password: there is no user for it", advice: "add \"user\"")
    }
    var trial = JobSpecification.plain
    try settings.put(into: &trial)
  }
}

enum MoveOrder {
  private static let ids = APIField("ids", .ids, "The jobs, in the order that they are to have.", isNeeded: true)

  static let schema = APISchema.either([
    .object([ids, APIField("place", .choice(["first", "last"]), "The end of the queue.", isNeeded: true)]),
    .object([ids, APIField("before", .id, "A job that waits.", isNeeded: true)]),
    .object([ids, APIField("after", .id, "A job that waits.", isNeeded: true)]),
  ])

  /// Returns the call for a JSON value that matches ``schema``.
  static func call(_ node: JSONNode) -> APICall {
    let place: QueuePlace =
      if let other = node["before"]?.integer {
        .before(other)
      } else if let other = node["after"]?.integer {
        .after(other)
      } else {
        node["place"]?.string == "first" ? .first : .last
      }
    return .move(node["ids"]?.integers ?? [], place)
  }
}

enum ActionOrder {
  private static let action = APIField(
    "action", .choice(JobAction.allCases.map(\.rawValue)), "What to do.", isNeeded: true)

  static let schema = APISchema.either([
    .object([action, APIField("ids", .ids, "The jobs.", isNeeded: true)]),
    .object([
      // A client that deletes files must name their jobs by number.
      APIField(
        "action", .choice(JobAction.allCases.filter { $0 != .delete }.map(\.rawValue)), "What to do.", isNeeded: true),
      APIField("all", .yes, "Every job.", isNeeded: true),
    ]),
    .object([
      APIField("action", .choice(["undo"]), "Take removals back.", isNeeded: true),
      APIField(
        "undo", .list(.text(most: 100), least: 1, most: 100_000), "What the removals were answered with.",
        isNeeded: true),
    ]),
  ])

  /// Returns the call for a JSON value that matches ``schema``.
  static func call(_ node: JSONNode) -> APICall {
    if let tokens = node["undo"]?.texts { return .undo(tokens) }
    let action = node["action"]?.string.flatMap(JobAction.init) ?? .pause
    return node["ids"]?.integers.map { .act(action, on: $0) } ?? .actOnAll(action)
  }
}

extension FeedOrder {
  private static let choice = [
    APIField("url", .text(isNeeded: true), "The feed.", isNeeded: true),
    APIField(
      "match", .nullable(.text(most: 1000)),
      "Only entries whose title or URL matches this POSIX extended regular expression; case does not matter."),
    APIField("limit", .nullable(.integer(1...1_000_000)), "Only as many of the newest."),
  ]

  static let schema = APISchema.either([
    .object(choice + [APIField("list", .yes, "Show its entries; queue nothing.", isNeeded: true)]),
    .object(
      choice + [
        APIField("guids", .list(.text(), least: 1, most: 10_000), "The entries that are queued.", isNeeded: true),
        APIField("directory", .nullable(.text(most: 4096)), "Where their files go."),
      ]),
  ])

  /// Returns the call for a JSON value that matches ``schema``.
  static func call(_ node: JSONNode) -> APICall {
    let match = node["match"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let order = FeedOrder(url: node["url"]?.string ?? "", match: match, limit: node["limit"]?.integer.map { Int($0) })
    guard let guids = node["guids"]?.texts else { return .readFeed(order) }
    return .queueFeed(order, guids: guids, directory: node["directory"]?.string)
  }
}
