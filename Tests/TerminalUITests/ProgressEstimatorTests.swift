// Rate and time left: steady, but quick to follow a change.

import Testing

@testable import TerminalUI

@Suite struct ProgressEstimatorTests {
  /// Feeds `speed` bytes a second from `start`, ten times a second.
  private func feed(
    _ estimator: inout ProgressEstimator, from start: Double, seconds: Double, speed: Double, bytes: inout Int64
  ) {
    for step in 1...Int(seconds * 10) {
      bytes += Int64(speed / 10)
      estimator.update(time: start + Double(step) / 10, bytes: bytes)
    }
  }

  @Test func nothingIsKnownAtFirst() {
    var estimator = ProgressEstimator()
    #expect(estimator.rate == nil)
    estimator.update(time: 100, bytes: 5000)
    #expect(estimator.rate == nil)
    #expect(estimator.eta(size: 10_000) == nil)
  }

  @Test func bytesKeptFromBeforeAreNoSpeed() throws {
    var estimator = ProgressEstimator()
    estimator.update(time: 0, bytes: 1 << 30)
    estimator.update(time: 1, bytes: 1 << 30 + 1000)
    #expect(abs(try #require(estimator.rate) - 1000) < 1)
  }

  @Test func aSteadySpeedIsToldExactlyFromTheStart() throws {
    var estimator = ProgressEstimator()
    var bytes: Int64 = 0
    estimator.update(time: 0, bytes: 0)
    feed(&estimator, from: 0, seconds: 2, speed: 1_000_000, bytes: &bytes)
    #expect(abs(try #require(estimator.rate) - 1_000_000) < 1)
    #expect(abs(try #require(estimator.eta(size: bytes + 10_000_000)) - 10) < 0.01)
  }

  @Test func howOftenItIsFedDoesNotMatter() throws {
    var often = ProgressEstimator()
    var seldom = ProgressEstimator()
    for second in 0...10 {
      seldom.update(time: Double(second), bytes: Int64(second * second) * 1000)
      often.update(time: Double(second), bytes: Int64(second * second) * 1000)
      for tenth in 1..<10 where second < 10 {
        let part = Int64(second * second) * 1000 + Int64((2 * second + 1) * tenth * 100)
        often.update(time: Double(second) + Double(tenth) / 10, bytes: part)
      }
    }
    let (a, b) = (try #require(often.rate), try #require(seldom.rate))
    #expect(abs(a - b) / b < 1e-9)
  }

  @Test func aBurstDoesNotJerkTheRate() throws {
    var estimator = ProgressEstimator()
    var bytes: Int64 = 0
    estimator.update(time: 0, bytes: 0)
    feed(&estimator, from: 0, seconds: 20, speed: 1_000_000, bytes: &bytes)
    feed(&estimator, from: 20, seconds: 0.2, speed: 3_000_000, bytes: &bytes)
    #expect(try #require(estimator.rate) < 1_150_000)
    feed(&estimator, from: 20.2, seconds: 12, speed: 3_000_000, bytes: &bytes)
    #expect(try #require(estimator.rate) > 2_800_000)
  }

  @Test func aStallFallsTowardsNothing() throws {
    var estimator = ProgressEstimator()
    var bytes: Int64 = 0
    estimator.update(time: 0, bytes: 0)
    feed(&estimator, from: 0, seconds: 10, speed: 1_000_000, bytes: &bytes)
    let before = try #require(estimator.eta(size: 100_000_000))
    feed(&estimator, from: 10, seconds: 10, speed: 0, bytes: &bytes)
    #expect(try #require(estimator.rate) < 100_000)
    #expect(try #require(estimator.eta(size: 100_000_000)) > before)
    feed(&estimator, from: 20, seconds: 300, speed: 0, bytes: &bytes)
    #expect(try #require(estimator.rate) < 1)
    #expect(estimator.eta(size: 100_000_000) == nil)
  }

  @Test func startingOverForgets() throws {
    var estimator = ProgressEstimator()
    var bytes: Int64 = 0
    estimator.update(time: 0, bytes: 0)
    feed(&estimator, from: 0, seconds: 5, speed: 9_000_000, bytes: &bytes)
    estimator.update(time: 5.1, bytes: 0)
    #expect(estimator.rate == nil)
    estimator.update(time: 6.1, bytes: 1000)
    #expect(abs(try #require(estimator.rate) - 1000) < 1)
  }

  @Test func noTimePassedIsNoInfinity() throws {
    var estimator = ProgressEstimator()
    estimator.update(time: 1, bytes: 0)
    estimator.update(time: 1, bytes: 5000)
    estimator.update(time: 0.5, bytes: 6000)
    estimator.update(time: 2, bytes: 10_000)
    #expect(abs(try #require(estimator.rate) - 10_000) < 1)
  }

  @Test func sillyTimesAreNotTold() {
    var estimator = ProgressEstimator()
    estimator.update(time: 0, bytes: 0)
    estimator.update(time: 10, bytes: 100)
    #expect(estimator.eta(size: nil) == nil)
    #expect(estimator.eta(size: .max) == nil)
    #expect(estimator.eta(size: 50) == 0)
  }
}
