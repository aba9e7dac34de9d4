// A bounded record of changes, for clients that follow the events.

internal import DrayCore

/// The position of a client that follows the events. Its text is the `id` of an event.
struct EventCursor: Sendable, Equatable, CustomStringConvertible {
  /// The id of the cursor's journal.
  var era: String
  var number: Int

  var description: String { "\(era)-\(number)" }

  init(era: String, number: Int) { (self.era, self.number) = (era, number) }

  /// Reads a cursor; `nil` if invalid.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 100, let number = Int(parts[1]), number >= 0 else { return nil }
    self.init(era: String(parts[0]), number: number)
  }
}

/// The changes of jobs in order. Each job occurs once: intermediate states are dropped.
struct EventJournal: Sendable {
  /// The changes that a client has missed.
  struct News: Sendable, Equatable {
    /// The changed and new jobs, in the order of their last changes. Some may have been removed since.
    var jobs: [JobID] = []
    var removed: [JobID] = []
    /// Whether places in the queue changed.
    var isReordered = false

    var isEmpty: Bool { jobs.isEmpty && removed.isEmpty && !isReordered }
  }

  private enum Entry {
    case job(JobID)
    case removed(JobID)
  }

  /// The maximum number of changes. A client that missed more must reload everything.
  static let most = 20_000

  let era: String
  private var entries: [(number: Int, entry: Entry)] = []
  private var number = 0
  /// The number of the last change that was dropped.
  private var forgotten = 0
  private var reordered = 0

  init(era: String) { self.era = era }

  /// The present end of the journal.
  var cursor: EventCursor { EventCursor(era: era, number: number) }

  mutating func changed(_ ids: some Sequence<JobID>) { for id in ids { append(.job(id)) } }
  mutating func removed(_ ids: some Sequence<JobID>) { for id in ids { append(.removed(id)) } }

  mutating func reorder() {
    number += 1
    reordered = number
  }

  private mutating func append(_ entry: Entry) {
    number += 1
    entries.append((number, entry))
    guard entries.count > 2 * EventJournal.most else { return }
    forgotten = entries[entries.count - EventJournal.most - 1].number
    entries.removeFirst(entries.count - EventJournal.most)
  }

  /// Returns the changes after a cursor; `nil` if the cursor belongs to another journal, or is too old.
  func news(since cursor: EventCursor) -> News? {
    guard cursor.era == era, cursor.number >= forgotten, cursor.number <= number else { return nil }
    var news = News(isReordered: reordered > cursor.number)
    var seen: Set<JobID> = []
    for (number, entry) in entries.reversed() {
      guard number > cursor.number else { break }
      switch entry {
      case .job(let id): if seen.insert(id).inserted { news.jobs.append(id) }
      case .removed(let id): if seen.insert(id).inserted { news.removed.append(id) }
      }
    }
    news.jobs.reverse()
    news.removed.reverse()
    return news
  }
}
