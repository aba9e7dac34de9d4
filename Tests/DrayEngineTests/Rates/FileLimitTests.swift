// Files that get one connection for a while.

import DrayCore
import Synchronization
import Testing

@testable import DrayEngine

@Suite struct FileLimitTests {
  /// 1,200 s after a full hour, so that ends are whole minutes.
  private static let start = 1_800_001_200.0

  @Test(
    "an hour, for this file only",
    arguments: [
      ("http://h/f", 0, true), ("http://h/%66", 0, true), ("http://h/f", 3599, true), ("http://h/f", 3600, false),
      ("http://h/f", 86_399, false), ("http://h/f", -3600, false),
      ("http://h/g", 0, false), ("http://h/f?a=1", 0, false), ("https://h/f", 0, false),
    ] as [(String, Double, Bool)])
  func limits(_ text: String, after seconds: Double, isLimited: Bool) throws {
    let memory = ConnectionMemory()
    #expect(memory.noteDisagreement(about: try url("http://h/f"), now: Self.start) == Self.start + 3600)
    let until = memory.singleUntil(try url(text), now: Self.start + seconds)
    #expect(until == (isLimited ? Self.start + 3600 : nil))
  }

  @Test("the limit outlives the process, without the URL's secrets, and the origin keeps its number")
  func isRemembered() throws {
    let told = Mutex<[String: Int]>([:])
    let memory = ConnectionMemory(["http://h": 6]) { name, count in told.withLock { $0[name] = count } }
    let file = try url("http://h/f?token=s3cret")
    #expect(memory.noteDisagreement(about: file, now: Self.start) != nil)
    #expect(memory.noteDisagreement(about: file, now: Self.start + 5) == nil, "it is reported once")
    #expect(memory.helpful(at: file.origin) == 6)
    let known = told.withLock { $0 }
    #expect(known.count == 1 && known.keys.allSatisfy { !$0.contains("s3cret") }, "\(known)")
    #expect(ConnectionMemory(known).singleUntil(file, now: Self.start + 60) == Self.start + 3600)
  }

  @Test("a full memory forgets the files first, and the origins only if these are too many")
  func full() throws {
    let memory = ConnectionMemory()
    let origin = try url("http://h/").origin
    memory.learn(4, of: origin)
    func differ(_ files: Range<Int>) throws {
      for number in files { _ = memory.noteDisagreement(about: try url("http://f/\(number)"), now: Self.start) }
    }
    try differ(1..<ConnectionMemory.limit)
    #expect(memory.singleUntil(try url("http://f/1"), now: Self.start) != nil)
    try differ(1000..<1001)
    #expect(memory.singleUntil(try url("http://f/1"), now: Self.start) == nil)
    #expect(memory.singleUntil(try url("http://f/1000"), now: Self.start) != nil)
    #expect(memory.helpful(at: origin) == 4)
    for number in 0..<ConnectionMemory.limit { memory.learn(2, of: try url("http://h\(number)/").origin) }
    #expect(memory.helpful(at: origin) == nil)
  }

  @Test("what an older dray recorded about an origin limits nothing")
  func older() throws {
    let memory = ConnectionMemory(["http://h": 0])
    let file = try url("http://h/f")
    #expect(memory.singleUntil(file, now: Self.start) == nil && memory.helpful(at: file.origin) == nil)
    memory.learn(4, of: file.origin)
    #expect(memory.helpful(at: file.origin) == 4)
  }
}
