// Feeds that the service reads by itself.

internal import DrayCore
internal import DrayDocuments

/// A subscription of a feed: entries that come after it are queued.
struct FeedSubscription: Sendable, Equatable, Codable {
  static let mostSeen = 2000

  var id: Int64 = 0
  var url: String
  /// A regular expression for titles and URLs.
  var match: String?
  /// An absolute path, or one below the default directory.
  var directory: String?
  /// The hours between two readings.
  var hours: Int
  /// The keys of the entries that were there at the last reading; `nil` before the first.
  var seen: Set<String>?
  var added = 0
  /// The time of the last reading, in seconds since 1970.
  var checkedAt: Double?
  /// The problem with the last reading.
  var problem: String?

  static let schema = APISchema.object([
    APIField("url", .text(isNeeded: true), "The feed.", isNeeded: true),
    APIField("match", .nullable(.text(most: 1000)), "Only entries whose title or URL matches, as in POST /feeds."),
    APIField("directory", .nullable(.text(most: 4096)), "Where their files go."),
    APIField("hours", .integer(1...8760), "The hours between two readings; 6 otherwise."),
  ])

  /// Reads a value that matches ``schema``.
  init(_ node: JSONNode) {
    func text(_ name: String) -> String? { node[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    (url, match, directory) = (text("url") ?? "", text("match"), text("directory"))
    hours = node["hours"]?.integer.map { Int($0) } ?? 6
  }

  func isDue(at now: Double) -> Bool { checkedAt.map { now >= $0 + Double(hours) * 3600 || now < $0 } ?? true }

  /// Records a reading, and returns which of its entries are new; none at the first reading.
  /// - Parameter keys: The keys of the matching entries.
  mutating func take(_ keys: [String], at now: Double) -> Set<String> {
    defer { (seen, checkedAt, problem) = (Set(keys.prefix(FeedSubscription.mostSeen)), now, nil) }
    guard let seen else { return [] }
    return Set(keys.prefix(FeedSubscription.mostSeen)).subtracting(seen)
  }
}

extension [FeedSubscription] {
  /// Adds a subscription, in place of one with the same feed and pattern. The last reading of the replaced one is kept
  /// unless `isRead`.
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
