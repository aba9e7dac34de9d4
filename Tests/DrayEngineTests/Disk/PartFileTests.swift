// Part files: private, new, owned by this user (P5, P6).

import DrayCore
import FaultServer
import Foundation
internal import Posix
import Testing

@testable import DrayEngine

@Suite struct PartFileTests {
  private let temporary: TemporaryDirectory
  private let directory: TargetDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    directory = try temporary.open()
  }

  private func write(_ text: String, to part: PartFile, at position: Int64 = 0) throws {
    try withBytes(text.utf8) { try part.write($0, at: position) }
  }

  @Test func aNewOneIsPrivateAndEmpty() throws {
    let part = try PartFile.create("part", in: directory)
    let status = try #require(temporary.status("part"))
    #expect(status.st_mode & 0o7777 == 0o600)
    #expect(status.st_size == 0)
    #expect(part.isInPlace)
  }

  @Test func aPlantedSymlinkIsReplacedAndNotFollowed() throws {
    try temporary.write("victim".utf8, to: "victim")
    try FileManager.default.createSymbolicLink(atPath: temporary["part"], withDestinationPath: "victim")
    let part = try PartFile.create("part", in: directory)
    try write("mine", to: part)
    #expect(temporary.bytes("victim") == Array("victim".utf8))
    #expect(temporary.status("part").map { $0.st_mode & S_IFMT } == S_IFREG)
    #expect(temporary.bytes("part") == Array("mine".utf8))
  }

  @Test func anOldFileIsReplacedAndNotWrittenTo() throws {
    try temporary.write("old".utf8, to: "part")
    try #require(link(temporary["part"], temporary["other"]) == 0)
    let part = try PartFile.create("part", in: directory)
    try write("mine", to: part)
    #expect(temporary.bytes("other") == Array("old".utf8))
    #expect(temporary.bytes("part") == Array("mine".utf8))
  }

  @Test func aDirectoryInItsPlaceIsAnError() throws {
    try FileManager.default.createDirectory(atPath: temporary["part"], withIntermediateDirectories: false)
    #expect(systemError { _ = try PartFile.create("part", in: directory) } != nil)
    #expect(try PartFile.open("part", in: directory) == nil)
  }

  @Test func whatIsNoneOfOursIsNotOpened() throws {
    #expect(try PartFile.open("part", in: directory) == nil)
    try temporary.write("data".utf8, to: "file")
    try FileManager.default.createSymbolicLink(atPath: temporary["link"], withDestinationPath: "file")
    #expect(try PartFile.open("link", in: directory) == nil)
    try #require(mkfifo(temporary["fifo"], 0o600) == 0)
    // Opening a FIFO does not wait for a writer.
    #expect(try PartFile.open("fifo", in: directory) == nil)
    try #require(link(temporary["file"], temporary["hard"]) == 0)
    #expect(try PartFile.open("hard", in: directory) == nil)
    try directory.remove("hard")
    #expect(try PartFile.open("file", in: directory) != nil)
  }

  @Test func bytesGoWhereTheyBelong() throws {
    let part = try PartFile.create("part", in: directory)
    try write("world", to: part, at: 6)
    try write("hello ", to: part)
    try part.sync()
    #expect(temporary.bytes("part") == Array("hello world".utf8))
    var buffer = [UInt8](repeating: 0, count: 8)
    let count = try buffer.withUnsafeMutableBytes { try part.read(into: $0, at: 6) }
    #expect(count == 5)
    #expect(buffer.prefix(5).elementsEqual("world".utf8))
    try part.truncate(to: 5)
    #expect(temporary.bytes("part") == Array("hello".utf8))
    #expect(try part.identity().size == 5)
  }

  /// Linux reports lost bytes once, and success from then on.
  @Test("P4 bytes that were lost stay lost, whatever later syncs say", arguments: [true, false])
  func aLossIsNotForgotten(isSync: Bool) throws {
    let part = try PartFile.create("part", in: directory)
    try write("abc", to: part)
    let ask = { if isSync { try part.sync() } else { try part.checkWriteBack() } }
    try withoutDisk(part.descriptor) { #expect(systemError(ask)?.code == EBADF) }
    #expect(systemError(ask)?.code == EBADF)
    #expect(systemError { try part.sync() }?.code == EBADF)
    #expect(systemError { try part.checkWriteBack() }?.code == EBADF)
    #expect(systemError { try write("def", to: part, at: 3) }?.code == EBADF)
    #expect(temporary.bytes("part") == Array("abc".utf8))
    // The next attempt opens the file again.
    let next = try #require(try PartFile.open("part", in: directory))
    try write("def", to: next, at: 3)
    try next.sync()
  }

  @Test func aReservationDoesNotChangeTheLength() throws {
    let part = try PartFile.create("part", in: directory)
    try write("abc", to: part)
    try part.reserve(0..<(8 << 20))
    #expect(temporary.bytes("part") == Array("abc".utf8))
  }

  @Test func aNameThatLeadsElsewhereIsNoticed() throws {
    let part = try PartFile.create("part", in: directory)
    try FileManager.default.moveItem(atPath: temporary["part"], toPath: temporary["moved"])
    #expect(!part.isInPlace)
    try temporary.write([1], to: "part")
    #expect(!part.isInPlace)
  }

  // MARK: Ownership (P17)

  private static let partName = ".0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70.part"

  /// A state directory with a database, for labels.
  private func state(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: temporary[name], withIntermediateDirectories: false)
    try temporary.write("x".utf8, to: name + "/dray.sqlite")
    return temporary[name]
  }

  @Test func whatAnotherProcessHasOpenIsLeft() throws {
    try temporary.write("theirs".utf8, to: Self.partName)
    chmod(temporary[Self.partName], 0o600)
    let other = open(temporary[Self.partName], O_RDWR)
    defer { close(other) }
    try #require(flock(other, LOCK_SH | LOCK_NB) == 0)
    #expect(systemError { _ = try PartFile.open(Self.partName, in: directory) }?.isOfAnother == true)
    #expect(systemError { _ = try PartFile.create(Self.partName, in: directory) }?.isOfAnother == true)
    #expect(systemError { try PartFile.remove(Self.partName, in: directory, store: nil) }?.isOfAnother == true)
    #expect(temporary.bytes(Self.partName) == Array("theirs".utf8))
  }

  /// The next attempt opens the file while the previous one still holds it; the lock lasts until both have closed it.
  @Test func openFilesOfOneProcessShareTheLock() throws {
    var first: PartFile? = try PartFile.create(Self.partName, in: directory)
    var second = try PartFile.open(Self.partName, in: directory)
    #expect(first != nil)
    first = nil
    let other = open(temporary[Self.partName], O_RDWR)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) != 0)
    #expect(second != nil)
    second = nil
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
  }

  /// A repair locks the published file while the attempt that published it still has it open under its former name
  /// (P9). The lock lasts until both have closed it, however often it was asked for.
  @Test func aPublishedFileSharesTheLockOfItsPart() throws {
    var part: PartFile? = try PartFile.create(Self.partName, in: directory)
    _ = try directory.rename(Self.partName, to: "target", replacing: false)
    var target = try PartFile.openPublished("target", in: directory)
    #expect(target?.lock() == true)
    #expect(target?.lock() == true)
    #expect(part != nil)
    part = nil
    let other = open(temporary["target"], O_RDWR)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) != 0)
    target = nil
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    #expect(try PartFile.openPublished("target", in: directory)?.lock() == false)
  }

  @Test func whatAnotherStoreHasIsLeft() throws {
    let (original, copy) = (try state("original"), try state("copy"))
    do {
      let part = try PartFile.create(Self.partName, in: directory, store: original)
      part.putLabel()
      // A file system without extended attributes has no labels.
      guard PartLabel.owner(of: part.descriptor) != nil else { return }
    }
    #expect(systemError { _ = try PartFile.open(Self.partName, in: directory, store: copy) }?.code == ENOTUNIQ)
    #expect(systemError { _ = try PartFile.create(Self.partName, in: directory, store: copy) }?.code == ENOTUNIQ)
    #expect(systemError { try PartFile.remove(Self.partName, in: directory, store: copy) }?.code == ENOTUNIQ)
    #expect(
      SystemError("create", ENOENT).failure("/proc").message(.plain).hasPrefix("/proc: no file can be created there"))
    #expect(SystemError("open", ENOTUNIQ).failure(temporary[Self.partName]).reason.contains(original))
    #expect(try PartFile.open(Self.partName, in: directory, store: original) != nil)
    // Once the original is gone, the copy continues.
    try FileManager.default.removeItem(atPath: original)
    #expect(try PartFile.open(Self.partName, in: directory, store: copy) != nil)
    try PartFile.remove(Self.partName, in: directory, store: copy)
    #expect(temporary.status(Self.partName) == nil)
  }

  /// The kernel knows the limit of the file system.
  @Test func aLengthThatNoFileCanHaveIsRefused() throws {
    let part = try PartFile.create("part", in: directory)
    try part.checkLength(0)
    try part.checkLength(1 << 30)
    #expect(throws: Failure.self) { try part.checkLength(.max) }
  }
}
