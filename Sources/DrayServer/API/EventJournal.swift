// A record of limited length of the changes, for clients that follow the events.

internal import DrayCore

/// The position of a client in the events. The position as a text is the `id` of an event.
struct EventCursor: Sendable, Equatable, CustomStringConvertible {
  /// The identifier of the journal that the position belongs to.
  var era: String
  var number: Int

  var description: String { "\(era)-\(number)" }

  init(era: String, number: Int) { (self.era, self.number) = (era, number) }

  /// Reads a position from a text. The result is `nil` if the text is invalid.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 100, let number = Int(parts[1]), number >= 0 else { return nil }
    self.init(era: String(parts[0]), number: number)
  }
}

/// The changes of jobs in the order in which they happened. Each job is recorded once, with its last change; what
/// happened to it before is dropped.
struct EventJournal: Sendable {
  /// The changes that are new for a client.
  struct News: Sendable, Equatable {
    /// The jobs that changed or are new, in the order of their last changes. Some of these jobs may have been removed
    /// since.
    var jobs: [JobID] = []
    var removed: [JobID] = []
    /// Whether any places in the queue changed.
    var isReordered = false

    var isEmpty: Bool { jobs.isEmpty && removed.isEmpty && !isReordered }
  }

  private enum Entry {
    case job(JobID)
    case removed(JobID)
  }

  /// The maximum number of changes that are kept. A client that missed more changes must load everything again.
  static let most = 20_000

  let era: String
  private var entries: [(number: Int, entry: Entry)] = []
  private var number = 0
  /// The number of the last change that is no longer kept.
  private var forgotten = 0
  private var reordered = 0

  init(era: String) { self.era = era }

  /// The position after the last change.
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

  /// Returns the changes after a position; `nil` if the position belongs to another journal or is too old.
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
