// The directory of a target: everything happens inside it, and obstacles are neither lost nor followed (P6).

import DrayCore
import Foundation
internal import Posix
import Testing

@testable import DrayEngine

@Suite struct TargetDirectoryTests {
  private let temporary: TemporaryDirectory
  private let directory: TargetDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    directory = try temporary.open()
  }

  /// Obstacles at a target's place.
  enum Obstacle: String, CaseIterable {
    case file, directory, symlink, danglingSymlink, fifo

    func make(_ name: String, in temporary: TemporaryDirectory) throws {
      let path = temporary[name]
      switch self {
      case .file: try temporary.write("old".utf8, to: name)
      case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .symlink:
        try temporary.write("victim".utf8, to: "victim")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: temporary["victim"])
      case .danglingSymlink:
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: temporary["nowhere"])
      case .fifo: try #require(mkfifo(path, 0o600) == 0)
      }
    }
  }

  @Test(arguments: Obstacle.allCases)
  func nothingIsReplacedUnasked(_ obstacle: Obstacle) throws {
    try obstacle.make("target", in: temporary)
    try temporary.write("new".utf8, to: "part")
    let before = temporary.status("target")?.st_ino
    #expect(directory.exists("target"))
    #expect(directory.isDirectory("target") == (obstacle == .directory))
    #expect((directory.identity(of: "target") != nil) == (obstacle == .file))
    #expect(systemError { try directory.rename("part", to: "target", replacing: false) }?.code == EEXIST)
    #expect(temporary.status("target")?.st_ino == before)
    #expect(temporary.bytes("part") == Array("new".utf8))
    if obstacle == .symlink { #expect(temporary.bytes("victim") == Array("victim".utf8)) }
    #expect(temporary.status("nowhere") == nil)
  }

  @Test(arguments: Obstacle.allCases)
  func whatIsReplacedIsTheNameItself(_ obstacle: Obstacle) throws {
    try obstacle.make("target", in: temporary)
    try temporary.write("new".utf8, to: "part")
    let error = systemError { try directory.rename("part", to: "target", replacing: true) }
    if obstacle == .directory {
      #expect(error?.code == EISDIR)
      #expect(temporary.bytes("part") == Array("new".utf8))
      return
    }
    #expect(error == nil)
    #expect(temporary.bytes("target") == Array("new".utf8))
    #expect(temporary.status("target").map { $0.st_mode & S_IFMT } == S_IFREG)
    #expect(temporary.status("part") == nil)
    // Links are not followed: their destinations are unchanged.
    if obstacle == .symlink { #expect(temporary.bytes("victim") == Array("victim".utf8)) }
    #expect(temporary.status("nowhere") == nil)
  }

  @Test func aFreeNameIsTaken() throws {
    try temporary.write("new".utf8, to: "part")
    #expect(!directory.exists("target"))
    let identity = try #require(directory.identity(of: "part"))
    try directory.rename("part", to: "target", replacing: false)
    #expect(directory.identity(of: "target") == identity)
    #expect(try temporary.names == ["target"])
  }

  @Test func removingWhatIsNotThereIsNoError() throws {
    try directory.remove("nothing")
    try temporary.write([1], to: "file")
    try directory.remove("file")
    #expect(!directory.exists("file"))
  }

  @Test func aSymlinkIsRemovedItself() throws {
    try Obstacle.symlink.make("link", in: temporary)
    try directory.remove("link")
    #expect(try temporary.names == ["victim"])
  }

  /// The path may come to lead elsewhere; the opened directory stays the same.
  @Test func aPathThatMovesIsNoticed() throws {
    let path = temporary["in"]
    let inner = try TargetDirectory(path: path, create: true)
    #expect(inner.isInPlace)
    try FileManager.default.moveItem(atPath: path, toPath: temporary["moved"])
    #expect(!inner.isInPlace)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: temporary.path)
    #expect(!inner.isInPlace)
    _ = try PartFile.create("part", in: inner)
    #expect(temporary.status("moved/part") != nil)
    #expect(temporary.status("part") == nil)
  }

  @Test func parentsAreMadeOnlyWhereThatIsAskedFor() throws {
    let path = temporary["a/b/c"]
    #expect(systemError { _ = try TargetDirectory(path: path) }?.code == ENOENT)
    _ = try TargetDirectory(path: path, create: true)
    _ = try TargetDirectory(path: path, create: true)
    #expect(directory.isDirectory("a/b/c"))
  }

  @Test func aFileIsNoDirectory() throws {
    try temporary.write([1], to: "file")
    #expect(systemError { _ = try TargetDirectory(path: temporary["file"]) }?.code == ENOTDIR)
    #expect(systemError { _ = try TargetDirectory(path: temporary["file/in"], create: true) }?.code == ENOTDIR)
  }

  /// P6: below the directory that the user named, no link of any origin is followed.
  @Test(arguments: [true, false])
  func linksBelowTheBaseAreNotFollowed(create: Bool) throws {
    let elsewhere = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: temporary["link"], withDestinationPath: elsewhere.path)
    try FileManager.default.createSymbolicLink(atPath: temporary["dangling"], withDestinationPath: temporary["nowhere"])
    try FileManager.default.createDirectory(atPath: elsewhere["in"], withIntermediateDirectories: false)
    _ = try TargetDirectory(path: temporary["link/in"], create: create)
    for below in ["link", "link/in", "dangling", "dangling/in"] {
      let place = DirectoryPlace(base: temporary.path, below: below)
      #expect(systemError { _ = try TargetDirectory(place, create: create) }?.code == ELOOP, "\(below)")
    }
    #expect(try elsewhere.names == ["in"])
    #expect(temporary.status("nowhere") == nil)
    // A directory named by the user may be a link.
    let place = DirectoryPlace(base: temporary["link"], below: "in")
    #expect(try TargetDirectory(place, create: create).path == temporary["link/in"])
  }

  /// As on a kernel or in a sandbox without openat2(2).
  @Test func stepByStepItIsTheSame() throws {
    _ = try TargetDirectory(path: temporary["a/b"], create: true)
    try FileManager.default.createSymbolicLink(atPath: temporary["a/link"], withDestinationPath: temporary.path)
    func walk(_ names: [String], create: Bool = false) throws {
      close(try DirectoryWalk.steps(open(temporary.path, O_RDONLY | O_DIRECTORY), names, create))
    }
    try walk(["a", "b"])
    try walk(["a", "b", "c"], create: true)
    #expect(directory.isDirectory("a/b/c"))
    #expect(systemError { try walk(["a", "link", "a"]) }?.code == ELOOP)
    #expect(systemError { try walk(["a", "d"]) }?.code == ENOENT)
  }

  @Test func namesThatLeadUpwardsAreNotWalked() throws {
    for below in ["..", "a/..", "../x"] {
      let place = DirectoryPlace(base: temporary.path, below: below)
      #expect(systemError { _ = try TargetDirectory(place, create: true) }?.code == EXDEV, "\(below)")
    }
  }

  /// A directory that was moved away is not in its place, even if a link to it is.
  @Test func aLinkInItsPlaceIsNoticed() throws {
    let inner = try TargetDirectory(DirectoryPlace(base: temporary.path, below: "in"), create: true)
    #expect(inner.isInPlace)
    try FileManager.default.moveItem(atPath: temporary["in"], toPath: temporary["moved"])
    try FileManager.default.createSymbolicLink(atPath: temporary["in"], withDestinationPath: temporary["moved"])
    #expect(!inner.isInPlace)
  }

  @Test func itListsItsNames() throws {
    try temporary.write([1], to: "a")
    try temporary.write([1], to: "é")
    #expect(try directory.names().sorted() == ["a", "é"])
    #expect(try directory.names().count == 2)
  }

  @Test func itTellsTheSpaceAndSyncs() throws {
    #expect(try #require(directory.freeSpace) > 0)
    try directory.sync()
  }
}
