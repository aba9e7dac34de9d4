// The feeds that the service reads regularly.

internal import DrayCore
internal import DrayDocuments

/// A subscription to a feed. The service queues those entries that appear in the feed after the subscription began.
struct FeedSubscription: Sendable, Equatable, Codable {
  static let mostSeen = 2000

  var id: Int64 = 0
  var url: String
  /// A regular expression that the title or the URL of an entry must match.
  var match: String?
  /// An absolute path, or a path below the default directory.
  var directory: String?
  /// The number of hours between two readings.
  var hours: Int
  /// The keys of the entries that the feed had at the last reading; `nil` before the first reading.
  var seen: Set<String>?
  var added = 0
  /// The time of the last reading, in seconds since 1970.
  var checkedAt: Double?
  /// What failed at the last reading; `nil` if nothing did.
  var problem: String?

  static let schema = APISchema.object([
    APIField("url", .text(isNeeded: true), "The feed.", isNeeded: true),
    APIField("match", .nullable(.text(most: 1000)), "Only entries whose title or URL matches, as in POST /feeds."),
    APIField("directory", .nullable(.text(most: 4096)), "Where their files go."),
    APIField("hours", .integer(1...8760), "The hours between two readings; 6 otherwise."),
  ])

  /// Reads a JSON value that matches ``schema``.
  init(_ node: JSONNode) {
    func text(_ name: String) -> String? { node[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    (url, match, directory) = (text("url") ?? "", text("match"), text("directory"))
    hours = node["hours"]?.integer.map { Int($0) } ?? 6
  }

  func isDue(at now: Double) -> Bool { checkedAt.map { now >= $0 + Double(hours) * 3600 || now < $0 } ?? true }

  /// Records a reading of the feed, and returns the keys of the new entries. At the first reading, no entry counts as
  /// new.
  /// - Parameter keys: The keys of those entries in the feed that match the expression.
  mutating func take(_ keys: [String], at now: Double) -> Set<String> {
    defer { (seen, checkedAt, problem) = (Set(keys.prefix(FeedSubscription.mostSeen)), now, nil) }
    guard let seen else { return [] }
    return Set(keys.prefix(FeedSubscription.mostSeen)).subtracting(seen)
  }
}

extension [FeedSubscription] {
  /// Adds a subscription. A subscription for the same feed with the same expression is replaced. What the last reading
  /// of the replaced subscription found is kept, unless `isRead` is true.
  mutating func put(_ new: FeedSubscription, isRead: Bool = false) {
    var new = new
    if let index = firstIndex(where: { ($0.url, $0.match) == (new.url, new.match) }) {
      (new.id, new.added) = (self[index].id, self[index].added)
      if !isRead { (new.seen, new.checkedAt) = (self[index].seen, self[index].checkedAt) }
      self[index] = new
    } else {
      new.id = (map(\.id).max() ?? 0) + 1
      append(new)
    }
  }
}
