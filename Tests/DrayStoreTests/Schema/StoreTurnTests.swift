// The order of the writers of one store.

import Dispatch
import Foundation
import StoreTesting
import Synchronization
import TestSupport
import Testing

@testable import DrayStore

struct StoreTurnTests {
  /// A separate directory.
  private let state = TemporaryState()

  private func turn(_ seconds: Double, _ path: String) -> StoreTurn {
    StoreTurn(in: path, waiting: seconds) { 0 }
  }

  private func directory() throws -> String {
    try state.directory.create()
    return state.directory.path
  }

  @Test func inTheOrderOfTheAsking() throws {
    let path = try directory()
    let first = turn(1, path)
    let order = Mutex<[Int]>([])
    let group = DispatchGroup()
    for number in 0..<8 {
      DispatchQueue(label: "writer").async(group: group) {
        let mine = turn(60, path)
        order.withLock { $0.append(number) }
        mine.end()
      }
      try waitForWaiters(number + 1, of: path)
    }
    let before = order.withLock { $0 }
    first.end()
    #expect(group.wait(timeout: .now() + 60) == .success)
    let after = order.withLock { $0 }
    #expect(before.isEmpty && after == Array(0..<8))
  }

  /// Waits until `count` requests for locks of the directory wait (proc(5), /proc/locks).
  private func waitForWaiters(_ count: Int, of path: String) throws {
    var info = stat()
    try #require(stat(path, &info) == 0)
    for _ in 0..<6000 {
      let locks = try kernelText(at: "/proc/locks").split(separator: "\n")
      if locks.count(where: { $0.contains("->") && $0.contains(":\(info.st_ino) ") }) == count { return }
      usleep(10_000)
    }
    Issue.record("\(count) do not wait")
  }

  @Test func lateOnesGiveUpAndHoldNothing() throws {
    let path = try directory()
    let first = turn(1, path)
    #expect(!turn(0.05, path).isHeld)
    first.end()
    // The late writer's turn comes and is handed on.
    let next = turn(60, path)
    #expect(next.isHeld)
    next.end()
  }

  @Test func whoeverSeesTheLineMoveOnWaits() throws {
    let path = try directory()
    let first = turn(1, path)
    var looks = 0
    let late = StoreTurn(in: path, waiting: 0.01) {
      looks += 1
      return min(looks, 5)
    }
    #expect(!late.isHeld)
    #expect(looks == 6)
    first.end()
  }

  @Test func withoutADirectoryThereAreNoTurns() throws {
    let path = "\(try directory())/none"
    let first = turn(0, path)
    let second = turn(0, path)
    #expect(!first.isHeld && !second.isHeld)
    second.end()
    first.end()
  }

  /// A lock as `flock "$DRAY_HOME" dray add …` takes it.
  @Test func aLockOfSomebodyElseKeepsNobodyFromWriting() async throws {
    let path = try directory()
    let store = try state.open(busyTimeout: 0.05)
    let other = turn(1, path)
    #expect(try await store.add(paths: "a") == [1])
    other.end()
    #expect(try await store.add(paths: "b") == [2])
  }
}
