// System calls against the real system: files in a separate directory, pipes.

import Foundation
import Posix
import Testing

@Suite("System calls")
struct SystemTests {
  private let directory: String

  init() throws {
    directory = NSTemporaryDirectory() + "/posix-\(UUID().uuidString)"
    try #require(try System.makeDirectory(directory))
  }

  private func path(_ name: String) -> String { directory + "/" + name }

  @Test("A created file has the given permissions whatever the umask, and must not exist yet")
  func create() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let descriptor = try System.create(path("a"), mode: 0o666)
    defer { System.close(descriptor) }
    #expect(try System.ownership(of: path("a")).mode & 0o7777 == 0o666)
    #expect(throws: SystemError("open", SystemError.exists)) { try System.create(path("a"), mode: 0o600) }
  }

  @Test("A lock ends with its file, even while a child before its exec shares the file")
  func unlockAndClose() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let descriptor = try System.create(path("a"), mode: 0o600)
    try #require(try System.tryLock(descriptor))
    // Like a child between fork and exec.
    let shared = dup(descriptor)
    defer { System.close(shared) }
    let other = try System.open(path("a"), .reading)
    defer { System.close(other) }
    #expect(try System.tryLock(other) == false)
    System.unlockAndClose(descriptor)
    #expect(try System.tryLock(other))
  }

  @Test("A directory is private to its owner; an existing one is reported")
  func makeDirectory() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    #expect(try System.ownership(of: directory).mode & 0o7777 == 0o700)
    #expect(try System.makeDirectory(directory) == false)
  }

  @Test("Bytes written at an offset are read back, up to a limit")
  func writeAndRead() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let descriptor = try System.create(path("a"), mode: 0o600)
    defer { System.close(descriptor) }
    try System.write(Array("hello world".utf8), to: descriptor, at: 0)
    try System.write(Array("W".utf8), to: descriptor, at: 6)
    #expect(try System.readFile(descriptor, limit: 1 << 20) == Array("hello World".utf8))
    #expect(try System.readFile(descriptor, limit: 5) == Array("hello".utf8))
    #expect(try System.read(path("a"), limit: 8) == Array("hello Wo".utf8))
    #expect(try System.readWithMode(path("a"), limit: 0).mode == 0o600)
  }

  @Test("A pipe whose reader has gone is an error of the write")
  func brokenPipe() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    System.ignoreBrokenPipes()
    let pipe = Pipe()
    try System.write("abc".utf8, to: pipe.fileHandleForWriting.fileDescriptor)
    #expect(try System.read(pipe.fileHandleForReading.fileDescriptor, limit: 3) == Array("abc".utf8))
    try pipe.fileHandleForReading.close()
    #expect(throws: SystemError("write", SystemError.brokenPipe)) {
      try System.write("abc".utf8, to: pipe.fileHandleForWriting.fileDescriptor)
    }
  }

  @Test("A lock held by another descriptor is refused, and free once that descriptor is closed")
  func lock() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let first = try System.create(path("a"), mode: 0o600)
    let second = try System.open(path("a"), .reading)
    defer { System.close(second) }
    #expect(try System.tryLock(first))
    #expect(try System.tryLock(second) == false)
    System.close(first)
    #expect(try System.tryLock(second))
  }

  @Test("Kinds and nodes of paths")
  func paths() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let descriptor = try System.create(path("a"), mode: 0o600)
    defer { System.close(descriptor) }
    #expect(symlink("a", path("link")) == 0)
    #expect(System.kind(path("link")) == .file)
    #expect(System.kind(directory) == .directory)
    #expect(System.kind("/dev/null") == .other)
    #expect(System.kind(path("none")) == .missing)
    #expect(System.kind(path("a/b")) == .unreadable(SystemError("stat", SystemError.noDirectory)))
    #expect(try System.node(path("link")).isSame(as: try System.node(descriptor)))
    #expect(try System.node(descriptor).isRegular)
    #expect(try !System.node(directory).isSame(as: try System.node(descriptor)))
    #expect(Set(System.names(in: directory)) == ["a", "link"])
    System.remove(path("link"))
    #expect(System.names(in: directory) == ["a"])
    #expect(System.names(in: path("none")) == [])
    #expect(throws: SystemError("stat", SystemError.noEntry)) { try System.node(path("none")) }
  }

  @Test("A child that reads its input gets the environment without what is hidden from it (P7)")
  func reader() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let script = "echo ${HOME-hidden} ${PATH+there} >\"$1\"; exec cat"
    let child = try System.startReader(["sh", "-c", script, "sh", path("a")], without: ["HOME", "HOM", "none"])
    #expect(fcntl(child.input, F_GETFD) & FD_CLOEXEC != 0)
    System.close(child.input)
    #expect(System.wait(for: child.process) == 0)
    #expect(FileManager.default.contents(atPath: path("a")) == Data("hidden there\n".utf8))
  }

  @Test("A child begins in its directory with its variables and three descriptors, and ends by a status or a signal")
  func start() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let open = fcntl(try System.create(path("open"), mode: 0o600), F_DUPFD, 50)
    defer { System.close(open) }
    let output = try System.create(path("out"), mode: 0o600)
    defer { System.close(output) }
    #if DRAY_PORTABLE
    // Descriptors that another test opens at this moment stay open.
    let (look, descriptors) = ("ls /proc/self/fd | grep -cx \(open)", 0)
    #else
    // `ls` itself has the fourth descriptor, that of the directory.
    let (look, descriptors) = ("ls /proc/self/fd | wc -l", 4)
    #endif
    var child = ChildStart(["sh", "-c", "pwd -P; echo $ADDED ${HOME-hidden}; \(look); exit 3"])
    (child.directory, child.variables, child.hidden) = (directory, ["ADDED": "one two"], ["HOME"])
    (child.output, child.group) = (output, .own)
    #expect(System.end(of: try System.start(child)) == .exited(3))
    let said = String(decoding: FileManager.default.contents(atPath: path("out")) ?? Data(), as: UTF8.self)
    #expect(
      said == "\(try #require(realpath(directory, nil).map { String(cString: $0) }))\none two hidden\n\(descriptors)\n")
    #expect(System.end(of: try System.start(ChildStart(["sh", "-c", "kill -TERM $$"]))) == .signalled(SIGTERM))
    #expect(throws: SystemError("posix_spawn", SystemError.noEntry)) {
      try System.start(ChildStart(["no-such-program"]))
    }
  }

  @Test("Descriptors and threads that a process can have")
  func limits() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let limit = try #require(System.descriptorLimit)
    #expect(limit > 0)
    #expect(System.canOpen(4))
    #expect(System.canStartThreads(4))
  }
}
