// The output of `dray feed`: ids, a table, or JSON.

internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI

struct FeedReport {
  let isList: Bool
  let isJSON: Bool
  let isQuiet: Bool
  private var json = JSONText()
  private let output = ResultOutput.standard

  init(isList: Bool, isJSON: Bool, isQuiet: Bool) {
    self.isList = isList
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    json.beginArray()
  }

  /// Reports a feed, and what became of its entries.
  /// - Parameter again: The jobs of known entries that were put back into the queue.
  mutating func add(_ feed: FoundFeed, _ admitted: [(FeedEntry, Admission)], again: [JobID] = []) {
    var ids = Dictionary(admitted.map { ($0.0.key, FeedReport.id($0.1)) }, uniquingKeysWith: { first, _ in first })
    for (key, job) in feed.ended where again.contains(job.id) { ids[key] = job.id }
    if isJSON {
      for entry in feed.entries { DocumentJSON.write(entry, of: feed, id: ids[entry.key] ?? nil, to: &json) }
    } else if isList {
      writeTable(feed)
    } else {
      for (_, admission) in admitted {
        if let id = FeedReport.id(admission) { output.write("\(id)\n") }
      }
      for id in again { output.write("\(id)\n") }
    }
    if !isList, !isQuiet {
      Messages.print("\(feed.url.description): \(FeedReport.words(feed, queued: admitted.count, again: again.count))")
    }
  }

  /// Writes the end of the JSON.
  mutating func finish() {
    guard isJSON else { return }
    json.endArray()
    json.endLine()
    output.write(json)
  }

  private static func id(_ admission: Admission) -> JobID? {
    switch admission {
    case .job(let added): added.id
    case .alreadyComplete(let id, _, _): id
    case .skipped, .present: nil
    }
  }

  private static func words(_ feed: FoundFeed, queued: Int, again: Int = 0) -> String {
    var words = queued == 0 ? "nothing new" : "\(queued) queued"
    if again > 0 { words += ", \(again) failed before and queued again" }
    let known = feed.known.count - again
    if queued > 0, known > 0 { words += ", \(known) already known" }
    return feed.whyNothing ?? words
  }

  private func writeTable(_ feed: FoundFeed) {
    let isTTY = TerminalDevice.isTTY(1)
    let profile = TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all)
    let columns = [
      TextTable.Column("STATE", minimum: 5), TextTable.Column("PUBLISHED", minimum: 10),
      TextTable.Column("TITLE", minimum: 12, cut: .end), TextTable.Column("URL", minimum: 12, cut: .middle),
    ]
    let rows = feed.entries.map { entry -> [TextTable.Cell] in
      let isKnown = feed.known.contains(entry.key)
      return [
        TextTable.Cell(isKnown ? "known" : "new", style: isKnown ? .dim : .green),
        TextTable.Cell(entry.published.map { String(TimeStamp.text($0).prefix(10)) } ?? ""),
        TextTable.Cell(TextSafety.escaped(entry.title ?? "")),
        TextTable.Cell(TextSafety.escaped(entry.url.description), style: .dim),
      ]
    }
    guard !rows.isEmpty else {
      return Messages.print("\(feed.url.description): \(FeedReport.words(feed, queued: 0))")
    }
    TextTable(columns, width: isTTY ? TerminalDevice.size(1).columns : nil, profile: profile)
      .write(rows) { output.write($0) }
  }
}
