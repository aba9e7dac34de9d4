// The number of connections that a file gets over random lines, in the fluid model of TCP: never slower than one
// connection by more than 5 %, except on the lines of SlowerLines.swift, and near the best fixed number. No seconds of
// this machine pass.

import Dispatch
import Synchronization
import Testing

@testable import DrayCore

@Suite struct LineGrowthTests {
  /// The number of drawn lines. A line takes seconds in a debug build, because each of 16 connections is computed.
  private static let lines = 80

  /// The seconds that files take over a line: with as many connections as help, and with given numbers.
  private struct Times {
    var line: LineModel
    var own: Double
    var single: Double
    /// The smallest of the times with 1, 4 and 16 connections, if requested.
    var best: Double?

    init(_ line: LineModel, files: Int = 1, size: Int64 = 64 << 20, withBest: Bool = false) {
      func seconds(_ connections: Int?) -> Double {
        LineRun.seconds(line, files: files, size: size, connections: connections, grows: false)
      }
      self.line = line
      (own, single) = (seconds(nil), seconds(1))
      guard withBest else { return }
      best = [4, 16].map { seconds($0) }
        .reduce(single) { min($0, $1) }
    }

    /// Returns the times of the first `count` drawn lines, in their order, and the best of every fourth, because each
    /// number of connections takes as long to compute. All processors compute.
    static func drawn(_ count: Int) async -> [Times] {
      await LineGrowthTests.computed((1...count).map { LineModel(drawn: $0) }) { line in
        Times(line, withBest: line.number.isMultiple(of: 4))
      }
    }
  }

  /// Computes on all processors, apart from the threads of tasks: other tests would wait for those.
  private static func computed<Value: Sendable>(
    _ lines: [LineModel], _ body: @escaping @Sendable (LineModel) -> Value
  ) async -> [Value] {
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        let values = Mutex<[Value?]>(Array(repeating: nil, count: lines.count))
        DispatchQueue.concurrentPerform(iterations: lines.count) { index in
          let value = body(lines[index])
          values.withLock { $0[index] = value }
        }
        done.resume(returning: values.withLock { $0.compactMap(\.self) })
      }
    }
  }

  /// Returns the smallest value that is at least as large as this share of all.
  private func quantile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }

  /// Returns a row for the list of slower lines.
  private static func row(_ times: Times) -> String {
    let most = (times.own / times.single * 100).rounded(.up) / 100
    return "    // \(times.line)\n    \(times.line.number): (\(most), .\(SlowerLines.suggestion(times.line))),"
  }

  @Test("no drawn line is slower than with one connection by more than 5 %, but those that are listed with a reason")
  func drawn() async {
    let times = await Times.drawn(LineGrowthTests.lines)
    let single = times.map { $0.own / $0.single }
    let slower = times.filter { $0.own > 1.05 * $0.single }
    let joining = slower.filter { $0.own / $0.single > SlowerLines.known[$0.line.number]?.most ?? 1.05 }
    let rows = joining.map(LineGrowthTests.row).joined(separator: "\n")
    #expect(joining.isEmpty, "Change the rule, or say in SlowerLines why it cannot know better:\n\(rows)")
    // A row that is no longer needed would hide it if the line became slower again.
    let needless = Set(SlowerLines.known.keys).subtracting(slower.map(\.line.number))
    #expect(needless.isEmpty)
    #expect(SlowerLines.known.count <= 6 && SlowerLines.known.values.allSatisfy { $0.most <= 1.2 })
    #expect(quantile(single, 0.9) <= 1.03)
    // On the other hand, one connection is far from the best on many lines.
    let best = times.compactMap { times in times.best.map { times.own / $0 } }
    #expect(quantile(best, 0.5) <= 1.06)
    #expect(quantile(best, 0.9) <= 1.2)
  }

  @Test("20 files of 4 MiB are hardly ever slower than with one connection each by more than 5 %")
  func severalFiles() async {
    // A server that accepts fewer connections than there are files refuses whole files, which is not the growth's
    // concern.
    let lines = (1...LineGrowthTests.lines).map { LineModel(drawn: $0) }.filter { $0.connections >= 16 }
    let times = await LineGrowthTests.computed(lines) { Times($0, files: 20, size: 4 << 20) }
    let single = times.map { $0.own / $0.single }
    let slower = times.filter { $0.own > 1.05 * $0.single }.map(LineGrowthTests.row).joined(separator: "\n")
    #expect(single.count { $0 > 1.05 } <= 3, "\(slower)")
    #expect(quantile(single, 0.9) <= 1.02)
    #expect(single.max() ?? 0 <= 1.25, "\(slower)")
    // Where a server limits each connection, or packets are lost, more than one connection a file help.
    #expect(quantile(single, 0.1) <= 0.55)
  }

  @Test("more files of a middle length at once are hardly ever slower, and much faster where each takes long")
  func moreFiles() async {
    let lines = stride(from: 4, through: LineGrowthTests.lines, by: 8).map { LineModel(drawn: $0) }.filter {
      $0.connections >= 16
    }
    let ratios = await LineGrowthTests.computed(lines) { line in
      LineRun.seconds(line, files: 40, size: 4 << 20) / LineRun.seconds(line, files: 40, size: 4 << 20, grows: false)
    }
    #expect(ratios.count { $0 > 1.05 } <= 1 && ratios.max() ?? 0 <= 1.1)
    #expect(quantile(ratios, 0.9) <= 1.02)
    #expect(quantile(ratios, 0.1) <= 0.8)
  }

  private func plain(
    _ roundTrip: Double, megabits: Double, queue: Double, loss: Double = 0, isBBR: Bool = false,
    each: Double = 1e12
  ) -> LineModel {
    var line = LineModel(drawn: 1)
    (line.roundTrip, line.rate, line.queue, line.loss, line.burst) = (roundTrip, megabits * 125_000, queue, loss, 1)
    (line.isBBR, line.connections, line.each, line.change, line.others) = (isBBR, 1_000_000, each, 1, 0)
    return line
  }

  @Test("one connection stays where it fills the line before more could help")
  func fillsAlone() {
    // A long line of which a packet is lost now and then, and a short fat one.
    for line in [
      plain(0.24, megabits: 300, queue: 8 * 1_048_576, loss: 2e-5), plain(0.005, megabits: 900, queue: 1_048_576),
    ] {
      let times = Times(line)
      #expect(times.own <= 1.05 * times.single, "\(line)")
    }
  }

  @Test("a server that limits each connection on a long line is met in wide steps")
  func limitedFarAway() {
    let times = Times(plain(0.2, megabits: 400, queue: 4 * 1_048_576, each: 2e6))
    #expect(times.own <= 0.3 * times.single)
  }

  @Test("losses that halve the rate again and again earn connections")
  func losses() {
    let times = Times(plain(0.06, megabits: 400, queue: 2 * 1_048_576, loss: 1e-3))
    #expect(times.own <= 0.1 * times.single)
  }
}
