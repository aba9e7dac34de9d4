// Names of feed entries whose URLs would give them one name.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Names in feeds")
struct FeedNamesTests {
  /// The paths of the entries, the days of their dates (-1 is none), and their names.
  private static let rows: [([String], [Int], [String?])] = [
    (["/a.mp3", "/b.mp3"], [1, 2], [nil, nil]),
    (["/1/m.mp3", "/2/m.mp3"], [0, 1], ["m.1970-01-01.mp3", "m.1970-01-02.mp3"]),
    (["/m.mp3?id=1", "/m.mp3?id=2", "/n.mp3"], [0, -1, 0], ["m.1970-01-01.mp3", nil, nil]),
    // On one day a number is added when they are queued.
    (["/1/m.mp3", "/2/m.mp3"], [0, 0], ["m.1970-01-01.mp3", "m.1970-01-01.mp3"]),
    // The answer names what a program sends.
    (["/get.php?id=1", "/get.php?id=2"], [0, 1], [nil, nil]), (["/1/get", "/2/get"], [0, 1], [nil, nil]),
  ]

  @Test("by the number of entries with the name, its kind and the date", arguments: rows)
  func names(_ paths: [String], _ days: [Int], _ expected: [String?]) throws {
    let entries = try zip(paths, days).enumerated().map { index, row in
      FeedEntry(
        key: "\(index)", url: try RequestURL.parse("http://h\(row.0)").url,
        published: row.1 < 0 ? nil : Double(row.1) * 86_400 + 7)
    }
    let names = Feed(title: nil, entries: entries, without: 0).fileNames()
    #expect(entries.map { names[$0.key] } == expected)
  }
}
