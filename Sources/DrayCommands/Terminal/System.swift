// System calls that commands make themselves, each wrapped once.

#if canImport(Glibc)
  internal import CLinux
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

enum System {
  /// Has all threads share one heap. glibc gives each its own, which grows by a page and a system call at a time and keeps
  /// what it had: with 10,000 small files that was a tenth of the memory. In time no difference was to be measured.
  static func useOneHeap() {
    #if canImport(Glibc)
      mallopt(M_ARENA_MAX, 1)
    #endif
  }

  /// Sees to it that descriptors 0 to 2 are taken: the job store must not become "standard error" because the caller
  /// closed that. What stands in for an output can only be read, so that writing to it fails as it should.
  static func reserveStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Holds a file that is there for this process, until it ends; another that wants it, too, waits.
  /// - Parameter waiting: called once if another has it now.
  static func hold(_ path: String, waiting: () -> Void) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // What cannot be opened is told by who reads it next, and without locks nobody waits.
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    waiting()
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// What a write tells when its reader has gone.
  static let brokenPipe = EPIPE

  /// A reader that goes away is an error of the write, not the end of the process.
  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Ends the process, what was printed being out. Nothing else is cleared away: threads may be closing connections, and
  /// the libraries that do it for them (OpenSSL, libssh2) would lose their footing halfway (a crash at the very end).
  static func exit(_ status: Int32) -> Never {
    fflush(nil)
    exitAtOnce(status)
  }

  /// Ends the process now: no `atexit`, no waiting for threads.
  static func exitAtOnce(_ status: Int32) -> Never { _exit(status) }

  /// Writes all bytes, waiting for a reader that is slow.
  /// - Returns: 0, or the errno of what went wrong.
  static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Int32 {
    let bytes = ContiguousArray(bytes)
    var start = 0
    while start < bytes.count {
      let written = bytes[start...].withUnsafeBytes { buffer in
        #if canImport(Darwin)
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
          Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if written >= 0 {
        start += written
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// The directory that relative paths start from; `nil` where it was removed.
  static var currentDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// What is at a path, links followed.
  enum Kind: Equatable {
    case file, directory, other, missing
    case unreadable(Int32)
  }

  static func kind(_ path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT ? .missing : .unreadable(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  /// Whether a path leads to a regular file.
  static func isFile(_ path: String) -> Bool { kind(path) == .file }

  /// Which file a path leads to, links followed.
  struct File: Equatable {
    var device: dev_t
    var inode: ino_t
  }

  /// The file at a path; `nil` where there is none.
  static func file(_ path: String) -> File? {
    var status = stat()
    return stat(path, &status) == 0 ? File(device: status.st_dev, inode: status.st_ino) : nil
  }

  /// Makes a file that is not there, and writes it.
  /// - Returns: the errno of what went wrong.
  static func create(_ path: String, _ bytes: some Collection<UInt8>, mode: mode_t) -> Int32? {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let error = write(bytes, to: descriptor)
    return error == 0 ? nil : error
  }

  /// The first bytes of a file or a pipe, at most so many.
  static func read(_ path: String, limit: Int) -> Result<[UInt8], SystemFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(SystemFailure(code: errno)) }
    defer { close(descriptor) }
    return read(descriptor, limit: limit)
  }

  /// The first bytes of a file or a pipe, and its permission bits as they were when it was opened.
  static func readWithMode(_ path: String, limit: Int) -> Result<([UInt8], UInt32), SystemFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(SystemFailure(code: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(SystemFailure(code: errno)) }
    let mode = UInt32(status.st_mode) & 0o7777
    return read(descriptor, limit: limit).map { ($0, mode) }
  }

  /// The first bytes of an open descriptor, at most so many.
  static func read(_ descriptor: Int32, limit: Int) -> Result<[UInt8], SystemFailure> {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < limit {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      #else
        let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      #endif
      if count == 0 { return .success(bytes) }
      if count > 0 {
        bytes.append(contentsOf: chunk[..<count])
      } else if errno != EINTR {
        return .failure(SystemFailure(code: errno))
      }
    }
    return .success(bytes)
  }

  /// Seconds that only go forward.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The errno of a system call.
struct SystemFailure: Error, Equatable {
  var code: Int32
  var text: String { System.words(code) }
}
