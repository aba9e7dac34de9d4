// The search for a free name: it finds the first, and it ends.

import DrayCore
import DrayEngine
import MemoryDestination
import StoreTesting
import Synchronization
import Testing

@testable import DrayKit

@Suite struct NameSearchTests {
  private let destination = MemoryDestinations()["/d"]

  private func search(unless isOver: @escaping @Sendable () -> Bool = { false }) throws -> NameSearch {
    NameSearch(specification: try specification("http://h/a"), destination: destination, isOver: isOver)
  }

  @Test(
    "the first free name is found, and the names before it are the taken ones",
    arguments: [
      ([], 0, 0), (["f.1"], 0, 0), (["f"], 0, 1), (["f", "f.1", "f.3"], 0, 2), (["f", "f.1", "f.3"], 3, 4), ([], 7, 7),
    ] as [([String], Int, Int)])
  func found(_ names: [String], _ first: Int, _ number: Int) async throws {
    for name in names { destination.put([1], as: name) }
    #expect(try await search().number(for: "f", from: first) == number)
    let taken = try await search().taken(before: "f")
    #expect(taken == Set(names.sorted().prefix { $0 != "f.3" && names.contains("f") }))
  }

  @Test("a directory with many files of one name has a free one")
  func many() async throws {
    for number in 0..<1500 { destination.put([], as: NameSearch.name("f", number)) }
    #expect(try await search { true }.number(for: "f") == 1500)
  }

  @Test("a server that has every name is not asked forever", arguments: [0, 1, 990])
  func everyName(_ first: Int) async throws {
    destination.lie { _ in true }
    let search = try search()
    let failure = await thrown { _ = try await search.number(for: "f", from: first) }
    #expect(failure?.kind == .file && failure?.subject == "/d/f" && failure?.recovery == .final)
    #expect(failure?.reason == "this name and 999 numbered ones are taken")
    #expect(destination.asked == 1000 - first)
  }

  @Test("a search on a server ends with its attempt, before another name is asked for")
  func ended() async throws {
    let asked = Atomic<Int>(0)
    destination.lie { _ in true }
    #expect(try await search { asked.wrappingAdd(1, ordering: .relaxed).newValue > 9 }.number(for: "f") == nil)
    #expect(destination.asked == 9)
    destination.lie { _ in false }
    #expect(try await search { true }.number(for: "f") == nil)
  }
}
