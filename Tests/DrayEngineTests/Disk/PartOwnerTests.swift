// A part file of another store is not replaced (P17).

import Foundation
internal import Posix
import Testing

@testable import DrayEngine

@Suite struct PartOwnerTests {
  private static let name = ".\(UUID().uuidString).part"
  private let temporary: TemporaryDirectory
  private let directory: TargetDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    directory = try temporary.open()
  }

  /// A store of this name; its path.
  private func store(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: temporary[name], withIntermediateDirectories: true)
    try temporary.write([], to: "\(name)/dray.sqlite")
    return temporary[name]
  }

  @Test func oneThatIsLabelledByAnotherStoreStays() throws {
    let (ours, theirs) = (try store("ours"), try store("theirs"))
    do {
      let part = try PartFile.create(Self.name, in: directory, store: theirs)
      part.putLabel()
      guard PartLabel.owner(of: part.descriptor) != nil else { return }
    }
    let before = temporary.status(Self.name)?.st_ino
    let error = systemError { _ = try PartFile.create(Self.name, in: directory, store: ours) }
    #expect(error?.isOfAnother == true)
    #expect(temporary.status(Self.name)?.st_ino == before)
    // Its own store may replace it.
    _ = try PartFile.create(Self.name, in: directory, store: theirs)
  }

  @Test func oneOfAStoreThatIsGoneIsReplaced() throws {
    do {
      let part = try PartFile.create(Self.name, in: directory, store: temporary["gone"])
      part.putLabel()
    }
    _ = try PartFile.create(Self.name, in: directory, store: try store("ours"))
  }

  @Test func aFileThatIsClosedIsFreeAtOnceForAnyLock() throws {
    try temporary.write("bytes".utf8, to: "target")
    var shared: Int32 = -1
    do {
      let target = try #require(try PartFile.open("target", in: directory, .reading))
      try #require(target.lock())
      // Like a child that was started in between, before its exec.
      shared = dup(target.descriptor)
    }
    defer { close(shared) }
    #expect(try PartFile.open("target", in: directory, .reading)?.lock() == true)
  }

  @Test func aPublishedFileIsLockedOnceItsAttemptHasClosedIt() async throws {
    try temporary.write("bytes".utf8, to: "target")
    let published = open(temporary["target"], O_RDWR | O_CLOEXEC)
    try #require(flock(published, LOCK_EX | LOCK_NB) == 0)
    let target = try #require(try PartFile.open("target", in: directory, .reading))
    let closing = Thread {
      usleep(50_000)
      close(published)
    }
    closing.start()
    #expect(target.lock())
  }

  @Test func oneThatAnotherProcessHoldsStays() throws {
    try temporary.write("theirs".utf8, to: Self.name)
    // Locked as by another process, without this one's knowledge.
    let descriptor = open(temporary[Self.name], O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    try #require(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
    #expect(systemError { _ = try PartFile.create(Self.name, in: directory, store: "/s") }?.code == EBUSY)
    #expect(temporary.bytes(Self.name) == Array("theirs".utf8))
    close(descriptor)
    _ = try PartFile.create(Self.name, in: directory, store: "/s")
  }

  @Test func oneThatThisProcessHoldsIsReplaced() throws {
    let first = try PartFile.create(Self.name, in: directory, store: "/s")
    let second = try PartFile.create(Self.name, in: directory, store: "/s")
    #expect(!first.isInPlace && second.isInPlace)
  }
}
