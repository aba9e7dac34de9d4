// From part file to target: what must hold before the rename, and what the target is after it (P1, P5).

import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayEngine

@Suite struct PublicationTests {
  private let temporary: TemporaryDirectory
  private let directory: TargetDirectory
  private let part: PartFile

  init() throws {
    temporary = try TemporaryDirectory()
    directory = try temporary.open()
    part = try PartFile.create("part", in: directory)
    try withBytes("0123456789".utf8) { try part.write($0, at: 0) }
  }

  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test func allStepsGiveTheTarget() throws {
    let publication = Publication(part: part, size: 10)
    let identity = try publication.prepare()
    try publication.sync()
    #expect(try #require(temporary.status("part")).st_mode & 0o7777 == 0o600)
    #expect(publication.show() == nil)
    #expect(
      try Publication.rename("part", to: "target", in: directory, replacing: false) == .done(.asWanted))
    #expect(directory.identity(of: "target") == identity)
    #expect(temporary.bytes("target") == Array("0123456789".utf8))
    #expect(try temporary.names == ["target"])
    // No longer private: as the umask has it.
    let mode = try #require(temporary.status("target")).st_mode & 0o7777
    #expect(mode == 0o666 & ~Umask.current)
  }

  @Test func everyStepMayBeRepeated() throws {
    let publication = Publication(part: part, size: 10)
    let first = try publication.prepare()
    let second = try publication.prepare()
    // It is the same file, but for the time of its last change.
    #expect((second.device, second.inode, second.size) == (first.device, first.inode, first.size))
    try publication.sync()
    try publication.sync()
    #expect(
      try Publication.rename("part", to: "target", in: directory, replacing: false) == .done(.asWanted))
    #expect(directory.identity(of: "target") == second)
  }

  /// With `--no-sync` publishing syncs nothing; a checkpoint may have reported an error.
  @Test("P12 bytes known to be lost are not published")
  func whatIsLostIsNotPublished() throws {
    try withoutDisk(part.descriptor) { #expect(systemError { try part.sync() } != nil) }
    let publication = Publication(part: part, size: 10)
    #expect(failure { _ = try publication.prepare() }?.kind == .file)
    #expect(failure { try publication.sync() }?.kind == .file)
    #expect(failure { try publication.checkWriteBack() }?.kind == .file)
  }

  @Test func whatIsTooLongIsCut() throws {
    let identity = try Publication(part: part, size: 4).prepare()
    #expect(identity.size == 4)
    #expect(temporary.bytes("part") == Array("0123".utf8))
  }

  @Test func whatIsTooShortIsNotPublished() throws {
    let found = try #require(failure { _ = try Publication(part: part, size: 11).prepare() })
    #expect(found.kind == .integrity)
    #expect(found.description.contains("10 bytes of 11"))
    #expect(temporary.status("part").map { $0.st_mode & 0o777 } == 0o600)
  }

  @Test func aPartFileThatIsGoneIsNoticed() throws {
    try directory.remove("part")
    #expect(failure { _ = try Publication(part: part, size: 10).prepare() }?.kind == .file)
    try temporary.write("other".utf8, to: "part")
    #expect(failure { _ = try Publication(part: part, size: 10).prepare() }?.kind == .file)
    #expect(temporary.bytes("part") == Array("other".utf8))
  }

  @Test func aDirectoryThatIsGoneIsNoticed() throws {
    try FileManager.default.moveItem(atPath: temporary.path, toPath: temporary.path + ".moved")
    defer { try? FileManager.default.removeItem(atPath: temporary.path + ".moved") }
    #expect(failure { _ = try Publication(part: part, size: 10).prepare() }?.kind == .file)
  }

  @Test func aNameThatIsTakenIsTold() throws {
    try temporary.write("old".utf8, to: "target")
    #expect(try Publication.rename("part", to: "target", in: directory, replacing: false) == .taken)
    #expect(temporary.bytes("target") == Array("old".utf8))
    #expect(try Publication.rename("part", to: "target", in: directory, replacing: true) == .done(.asWanted))
    #expect(temporary.bytes("target") == Array("0123456789".utf8))
  }

  /// A file that a program puts there at the last moment keeps its name.
  @Test(arguments: ["the file", "another", "nothing", "at the last moment"])
  func onlyOneFileIsReplaced(_ what: String) throws {
    try temporary.write("old".utf8, to: "target")
    let seen = try #require(directory.identity(of: "target"))
    if what == "another" { try temporary.write("other".utf8, to: "target") }
    if what == "nothing" { try directory.remove("target") }
    var looks = 0
    let isDone = try Publication.replace("part", over: "target", in: directory) { found in
      looks += 1
      // The second check sees the exchanged file.
      if what == "at the last moment", looks == 2 { return false }
      return found == seen
    }
    #expect(isDone == (what == "the file"))
    switch what {
    case "the file":
      #expect(temporary.bytes("target") == Array("0123456789".utf8))
      #expect(try temporary.names == ["target"])
    case "nothing": #expect(try temporary.names == ["part"])
    default:
      #expect(temporary.bytes("target") == Array((what == "another" ? "other" : "old").utf8))
      #expect(temporary.bytes("part") == Array("0123456789".utf8))
    }
  }

  @Test func aDirectoryIsNeverReplaced() throws {
    try FileManager.default.createDirectory(atPath: temporary["target"], withIntermediateDirectories: false)
    let found = failure { _ = try Publication.rename("part", to: "target", in: directory, replacing: true) }
    #expect(found?.kind == .file)
    #expect(temporary.bytes("part") == Array("0123456789".utf8))
  }
}
