// WebSocket notifications: the messages of a real aria2c, and when dray sends them.

import DrayCore
import DrayKit
import Testing

@testable import DrayServer

@Suite struct NotificationTests {
  private static let gid = GID(uuid: "5a000000-0000-0071-8000-000000000000")

  @Test func bytesAreThoseOfAria2() throws {
    let heard = Transcript.exchanges(of: "websocket").filter { $0.request == "" }.compactMap(\.answer)
    let kinds: [Aria2Notification.Kind] = [
      .start, .complete, .start, .error, .start, .pause, .start, .stop, .start, .complete,
    ]
    #expect(heard.count == kinds.count)
    for (text, kind) in zip(heard, kinds) {
      let digits = try #require(text.firstRange(of: "5a")).lowerBound
      let gid = GID(uuid: text[digits...].prefix(16))
      #expect(String(decoding: Aria2Notification(kind: kind, gid: gid).bytes, as: UTF8.self) == text)
    }
  }

  /// The notifications about successive changes of one job.
  @Test(
    arguments: [
      ([.started(attempt: 1), .complete], [.start, .complete]),
      ([.started(attempt: 1), .retrying(delay: 1), .started(attempt: 2), .failed], [.start, .error]),
      ([.started(attempt: 1), .paused, .queued, .started(attempt: 2), .removed], [.start, .pause, .start, .stop]),
      ([.paused, .queued], []), ([.added, .removed], []), ([.failed], [.error]),
      ([.started(attempt: 1), .queued, .started(attempt: 2)], [.start, .start]), ([.present, .complete], [.complete]),
    ] as [([JobChange.Kind], [Aria2Notification.Kind])])
  func changes(_ changes: [JobChange.Kind], _ kinds: [Aria2Notification.Kind]) {
    var notifier = Aria2Notifier()
    let told = changes.compactMap { change in
      notifier.notification(of: change, 1, change == .removed ? nil : Self.gid, hasFailed: false)
    }
    #expect(told.map(\.kind) == kinds)
    #expect(told.allSatisfy { $0.gid == Self.gid })
  }

  @Test("jobs active before the first listener are reported when they pause or stop", arguments: [true, false])
  func before(_ isActive: Bool) {
    for (change, kind) in [(.paused, .pause), (.removed, .stop)] as [(JobChange.Kind, Aria2Notification.Kind)] {
      var notifier = Aria2Notifier()
      let present = notifier.notification(of: .present, 1, Self.gid, hasFailed: false, isActive: isActive)
      #expect(present == nil)
      let told = notifier.notification(of: change, 1, nil, hasFailed: false)
      #expect(told == (isActive ? Aria2Notification(kind: kind, gid: Self.gid) : nil))
    }
  }

  @Test func aRemovedJobThatKeepsItsBytesStops() {
    var notifier = Aria2Notifier()
    let changes: [(JobChange.Kind, Bool)] = [(.started(attempt: 1), false), (.paused, true), (.removed, false)]
    let told = changes.compactMap { change, isRemoval in
      notifier.notification(
        of: change, 1, change == .removed ? nil : Self.gid, hasFailed: false, isRemoval: isRemoval)
    }
    #expect(told.map(\.kind) == [.start, .stop])
  }

  @Test(arguments: [(true, [.start, .error]), (false, [.start])] as [(Bool, [Aria2Notification.Kind])])
  func interrupted(_ hasFailed: Bool, _ kinds: [Aria2Notification.Kind]) {
    var notifier = Aria2Notifier()
    let told = [JobChange.Kind.started(attempt: 1), .interrupted].compactMap {
      notifier.notification(of: $0, 1, Self.gid, hasFailed: hasFailed)
    }
    #expect(told.map(\.kind) == kinds)
  }
}
