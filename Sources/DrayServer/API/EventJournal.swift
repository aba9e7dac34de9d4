// What has changed since when, for those who follow the events: pure, and of bounded size.

internal import DrayCore

/// Where somebody who follows the events has come to. Its text is the `id` of an event.
struct EventCursor: Sendable, Equatable, CustomStringConvertible {
  /// Which journal it is of: that of one run of the service.
  var era: String
  var number: Int

  var description: String { "\(era)-\(number)" }

  init(era: String, number: Int) { (self.era, self.number) = (era, number) }

  /// Reads a text; nil for what is none.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 100, let number = Int(parts[1]), number >= 0 else { return nil }
    self.init(era: String(parts[0]), number: number)
  }
}

/// The changes of jobs in their order. A job stands in it once: what it was in between is nobody's concern.
struct EventJournal: Sendable {
  /// What somebody has missed.
  struct News: Sendable, Equatable {
    /// Jobs that are other than they were, or new, in the order of their last changes. Some may be gone by now.
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

  /// How many changes are kept. A client that missed more has to load everything again.
  static let most = 20_000

  let era: String
  private var entries: [(number: Int, entry: Entry)] = []
  private var number = 0
  /// The last change that was forgotten.
  private var forgotten = 0
  private var reordered = 0

  init(era: String) { self.era = era }

  /// Where the journal has come to.
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

  /// What came after a cursor; nil for one of another journal, or of a time that is forgotten.
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
