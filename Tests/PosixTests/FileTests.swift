// Calls on open files and directories, against the real system.

import Foundation
import Posix
import Testing

@Suite("Files and directories")
struct FileTests {
  private let path = NSTemporaryDirectory() + "/posix-\(UUID().uuidString)"
  private let directory: Int32

  init() throws {
    try System.makeDirectory(path, mode: 0o700)
    directory = try System.open(path, [.reading, .directory])
  }

  private func end() {
    System.close(directory)
    try? FileManager.default.removeItem(atPath: path)
  }

  @Test(
    "Flags decide what can be opened",
    arguments: [
      ("file", .reading, nil), ("file", .new, SystemError.exists), ("none", .reading, SystemError.noEntry),
      ("link", [.reading, .noFollow], SystemError.linkInTheWay), ("link", .reading, nil),
      ("file", [.reading, .directory], SystemError.noDirectory), ("sub", .writing, SystemError.isDirectory),
      ("sub", [.reading, .directory], nil), ("new", .new, nil), ("pipe", [.reading, .nonBlocking], nil),
    ] as [(String, OpenFlags, Int32?)])
  func flags(name: String, flags: OpenFlags, refusal: Int32?) throws {
    defer { end() }
    System.close(try System.open("file", in: directory, .new, mode: 0o600))
    try System.makeDirectory("sub", in: directory, mode: 0o700)
    #expect(symlink("file", path + "/link") == 0 && mkfifo(path + "/pipe", 0o600) == 0)
    for isRelative in [true, false] {
      var code: Int32?
      do throws(SystemError) {
        let opened =
          try isRelative
          ? System.open(name, in: directory, flags, mode: 0o600, as: "x") : System.open(path + "/" + name, flags)
        // No child inherits it.
        #expect(fcntl(opened, F_GETFD) & FD_CLOEXEC != 0)
        System.close(opened)
        if name == "new" { try System.unlink(name, in: directory) }
      } catch {
        #expect(error.call == (isRelative ? "x" : "open"))
        code = error.code
      }
      #expect(code == refusal)
    }
  }

  @Test("The status of a file by its descriptor, its path and its name")
  func status() throws {
    defer { end() }
    let file = try System.open("file", in: directory, .new, mode: 0o600)
    defer { System.close(file) }
    try System.write(Array(repeating: 1, count: 5000), to: file, at: 0)
    try System.setModified(file, 12)
    try System.setMode(file, 0o640)
    try System.link("file", to: "second", in: directory)
    #expect(symlink("file", path + "/link") == 0)
    let found = try [
      System.status(file), System.status(at: path + "/link"), System.status("second", in: directory),
      System.status("link", in: directory, following: true),
    ]
    for status in found {
      #expect(status.isSame(as: found[0]) && status.isRegular && !status.isDirectory && !status.isLink)
      #expect(status.size == 5000 && status.allocated >= 0 && status.mode == 0o640 && status.links == 2)
      #expect(status.modified == (12, 0) && status.owner == System.effectiveUserID)
      #expect(status.inode == (try System.node(file).inode))
    }
    for link in try [System.status(at: path + "/link", following: false), System.status("link", in: directory)] {
      #expect(link.isLink && !link.isRegular && !link.isSame(as: found[0]))
    }
    #expect(try System.status(directory).isDirectory)
    #expect(throws: SystemError("stat", SystemError.noEntry)) { _ = try System.status("none", in: directory) }
  }

  @Test("Names are linked, renamed, listed and removed in an open directory, whatever its path leads to")
  func names() throws {
    defer { end() }
    System.close(try System.open("a", in: directory, .new, mode: 0o600))
    try System.makeDirectory("sub", in: directory, mode: 0o700)
    try System.link("a", to: "b", in: directory)
    let sub = try System.open("sub", in: directory, [.reading, .directory])
    defer { System.close(sub) }
    try System.rename("b", in: directory, to: "c", in: sub)
    for _ in 0..<2 { #expect(try Set(System.names(of: directory)) == ["a", "sub"]) }
    #expect(try System.names(of: sub) == ["c"])
    #expect(throws: SystemError("unlink", SystemError.notEmpty)) {
      try System.unlink("sub", in: directory, isDirectory: true)
    }
    try System.unlink("c", in: sub)
    try System.unlink("sub", in: directory, isDirectory: true)
    #expect(try System.names(of: sub) == [])
    #expect(try System.names(of: directory) == ["a"])
    #expect(throws: SystemError("mkdir", SystemError.exists)) {
      try System.makeDirectory("a", in: directory, mode: 0o700)
    }
  }

  @Test("Bytes are read and written at positions, and one call after another")
  func bytes() throws {
    defer { end() }
    let file = try System.open("file", in: directory, .new, mode: 0o600)
    defer { System.close(file) }
    try System.write(Array("hello world".utf8), to: file, at: 0)
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(try buffer.withUnsafeMutableBytes { try System.read(file, into: $0, at: 6) } == 5)
    #expect(buffer.starts(with: "world".utf8))
    #expect(try System.readSome(file, limit: 5) == Array("hello".utf8))
    try System.seek(file, to: 11)
    #expect(try System.readSome(file, limit: 5) == [])
    #expect(throws: SystemError("lseek", SystemError.invalid)) { try System.seek(file, to: -1) }
    try System.syncData(file)
    try System.sync(directory)
    #expect(System.isWritable(file) && !System.isWritable(directory))
  }

  @Test("A pipe that is full or empty does not block once it is told so")
  func pipe() throws {
    defer { end() }
    let pipe = try System.pipe()
    defer { for end in [pipe.reader, pipe.writer] { System.close(end) } }
    for end in [pipe.reader, pipe.writer] { System.stopBlocking(end) }
    #expect(throws: SystemError("read", SystemError.tryAgain)) { try System.readSome(pipe.reader, limit: 1) }
    #expect(!System.hasBytes(pipe.reader, within: 0) && System.hasRoom(pipe.writer, within: 0))
    let block = [UInt8](repeating: 7, count: 1 << 16)
    #expect(throws: SystemError("write", SystemError.tryAgain)) {
      while true { _ = try block.withUnsafeBytes { try System.writeSome($0, to: pipe.writer) } }
    }
    #expect(System.hasBytes(pipe.reader, within: 0) && !System.hasRoom(pipe.writer, within: 0))
    #expect(try System.status(pipe.reader).isPipe && System.isPipe(pipe.writer))
  }

  #if !DRAY_PORTABLE
  @Test("Changes in a watched directory are reported, and a wait ends with its watch")
  func changes() throws {
    defer { end() }
    let changes = try #require(DirectoryChanges())
    defer { changes.close() }
    let watch = try #require(changes.watch(path, [.created]))
    #expect(changes.watch(path + "/none", [.created]) == nil)
    System.close(try System.open("a", in: directory, .new, mode: 0o600))
    var seen: [String] = []
    changes.wait(10_000) { number, name in if number == watch { seen.append(name) } }
    #expect(seen == ["a"])
    changes.end(watch)
    changes.wait(10_000) { number, _ in seen.append("\(number == watch)") }
    #expect(seen == ["a", "true"])
  }
  #endif

  @Test("Texts for C end with a null pointer; a library that is missing is none")
  func library() {
    defer { end() }
    let copies = System.withCTexts(["a", "ü"]) { texts in
      texts.map { [$0[0], $0[1]].compactMap { $0.map { String(cString: $0) } } + ["\($0[2] == nil)"] }
    }
    #expect(copies == ["a", "ü", "true"])
    #expect(SharedLibrary("no-such-library.so") == nil)
    #expect(SharedLibrary("libc.so.6")?.symbol("getpid") != nil)
    #expect(SharedLibrary("libc.so.6")?.symbol("no_such_function") == nil)
  }
}
