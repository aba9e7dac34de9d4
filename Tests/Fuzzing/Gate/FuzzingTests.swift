// The gate's share of the fuzzing: the targets of `make fuzz` with inputs by a seed (`DRAY_FUZZ_SEED`, see TestSeed;
// `DRAY_FUZZ_ROUNDS=100` makes a hundred times as many), the inputs that found faults, and the growth of an input's
// cost.

import Foundation
import TestSupport
import Testing

@Suite("Fuzzing")
struct FuzzingTests {
  static let seed = TestSeed.value("DRAY_FUZZ_SEED")

  /// The number of inputs, as a multiple of the gate's.
  static let factor = ProcessInfo.processInfo.environment["DRAY_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 1

  @Test("the promises hold for any input", arguments: FuzzTarget.all)
  func holds(_ target: FuzzTarget) {
    var maker = InputMaker(target, seed: Self.seed)
    let last = LastInput(target)
    // A crash leaves this line in the log, and the input in the file.
    print("fuzzing \(target.name) with DRAY_FUZZ_SEED=\(Self.seed), the input under way is in \(last.path)")
    let generated = (0..<target.rounds * Self.factor).lazy.map { _ in maker.next() }
    for input in chain(target.seeds, generated) {
      last.note(input)
      guard let violation = target.violation(input) else { continue }
      Issue.record("\(violation)\nits input is in \(last.path); replay: make fuzz FUZZ='\(target.name) \(last.path)'")
      return
    }
    last.remove()
  }

  private func chain(_ seeds: [[UInt8]], _ generated: some Sequence<[UInt8]>) -> AnySequence<[UInt8]> {
    AnySequence([AnySequence(seeds), AnySequence(generated)].joined())
  }

  private static let regressions = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Regressions")

  /// The directories of inputs that found faults, by target.
  private static func found() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: regressions.path)).subtracting([".DS_Store"])
  }

  @Test("regressions stay fixed", arguments: FuzzTarget.all)
  func regressions(_ target: FuzzTarget) throws {
    guard try Self.found().contains(target.slug) else { return }
    let directory = Self.regressions.appending(path: target.slug)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let input = try Data(contentsOf: directory.appending(path: name))
      let violation = target.violation(Array(input))
      #expect(violation == nil, "\(name)")
    }
  }

  @Test("every regression is tried: each directory belongs to a target")
  func regressionsHaveTargets() throws {
    let found = try Self.found()
    #expect(!found.isEmpty && found.isSubset(of: FuzzTarget.all.map(\.slug)), "\(found)")
  }

  @Test("four times the input costs about four times as much (P13)", arguments: FuzzTarget.all.filter { !$0.isBounded })
  func growth(_ target: FuzzTarget) {
    for (piece, make) in Growth.repetitions(for: target) {
      let excess = Growth.excess(4096, make) { _ = target.violation($0) }
      #expect(excess == nil, "\(target.name), of \(String(decoding: piece, as: UTF8.self))")
    }
  }

  @Test("formerly quadratic input has linear cost", arguments: Growth.known)
  func knownGrowth(_ known: Growth.Known) {
    let excess = Growth.excess(known.length, known.make) { _ = known.target.violation($0) }
    #expect(excess == nil, "\(known)")
  }

  @Test("a broken target is detected, and names are unique")
  func canFail() {
    let broken = FuzzTarget("broken", words: ["x"], seeds: ["abc"]) { (text: String) throws(Violation) in
      try hold(!text.contains("x"), "no x")
    }
    var maker = InputMaker(broken, seed: 1)
    #expect((0..<500).contains { _ in broken.violation(maker.next()) != nil })
    let square = { (input: [UInt8]) in
      var sum = 0
      for one in input { for other in input { sum &+= Int(one ^ other) } }
      withExtendedLifetime(sum) {}
    }
    #expect(Growth.excess(1024, { Array(repeating: 1, count: $0) }, square) != nil)
    #expect(Set(FuzzTarget.all.map(\.slug)).count == FuzzTarget.all.count)
  }
}
