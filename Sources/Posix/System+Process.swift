// The process: its user, its descriptors and threads, its end.

internal import CLinux
internal import Glibc

extension System {
  // MARK: Environment

  /// Whether Linux's files about this process can be read (proc(5)); `true` on systems that do not need them.
  public static var hasProcessFiles: Bool {
    #if DRAY_PORTABLE
    true
    #else
    isReadable("/proc/self/cmdline") && isReadable("/proc/self/task")
    #endif
  }

  /// The number of the namespace of this process's number; `nil` on a system without them (pid_namespaces(7)).
  public static var processNamespace: UInt64? {
    #if DRAY_PORTABLE
    nil
    #else
    (try? node("/proc/self/ns/pid"))?.inode
    #endif
  }

  /// The name of this machine, as `hostname` prints it; `localhost` if it is unknown.
  public static var hostName: String {
    var name = [UInt8](repeating: 0, count: 256)
    let status = name.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { gethostname($0, 255) } ?? -1 }
    }
    let bytes = name.prefix { $0 != 0 }
    return status == 0 && !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : "localhost"
  }

  /// The release of the kernel, such as `6.1.0-13-amd64`; `nil` if it is unknown (uname(2)).
  public static var kernelRelease: String? {
    var name = utsname()
    guard uname(&name) == 0 else { return nil }
    return withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The real user id.
  public static var userID: UInt32 { getuid() }

  /// The user whose permissions count.
  public static var effectiveUserID: UInt32 { geteuid() }

  public static func passwordDatabaseHome() -> String? { passwordDatabase { $0.pw_dir } }

  public static func passwordDatabaseUser() -> String? { passwordDatabase { $0.pw_name } }

  private static func passwordDatabase(_ field: (passwd) -> UnsafeMutablePointer<CChar>?) -> String? {
    var size = 1 << 12
    while size <= 1 << 20 {
      var buffer = [CChar](repeating: 0, count: size)
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let code = getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found)
      if code == ERANGE {
        size *= 4
        continue
      }
      guard code == 0, found != nil, let text = field(entry) else { return nil }
      return String(cString: text)
    }
    return nil
  }

  /// `nil` if the directory was removed, or if its path is not UTF-8.
  public static var currentDirectory: String? {
    currentDirectoryBytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// As bytes, which need not be UTF-8.
  public static var currentDirectoryBytes: [UInt8]? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }

  /// The monotonic time in seconds.
  public static var now: Double { seconds(CLOCK_MONOTONIC) }

  /// The seconds since an arbitrary moment, by a clock that no program sets. It continues while the machine sleeps.
  public static var bootTime: Double {
    #if DRAY_PORTABLE
    seconds(CLOCK_MONOTONIC)
    #else
    seconds(CLOCK_BOOTTIME)
    #endif
  }

  /// The seconds since 1970 by the system clock, with their fraction.
  public static var time: Double { seconds(CLOCK_REALTIME) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  public static var secondsSince1970: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  // MARK: Start and end

  /// Limits the number of heaps that threads share. Must be called before the first thread starts. By default glibc makes
  /// up to eight heaps a core; a heap grows one page and one system call at a time, and does not shrink. With a single
  /// heap, 10,000 small files cost a tenth more CPU time, because threads wait for each other's allocations; each further
  /// heap costs about 1 MB.
  public static func limitHeaps(to count: Int32) {
    #if !DRAY_PORTABLE
    mallopt(M_ARENA_MAX, count)
    #endif
  }

  /// Waits for the end of the process and handles signals. Does not serve the main queue: `dispatchMain()` would first
  /// end this thread, for which glibc loads a library and reads the tables of all functions.
  public static func waitForever() -> Never {
    var none = sigset_t()
    sigemptyset(&none)
    while true { sigsuspend(&none) }
  }

  /// Opens descriptors 0 to 2 if the caller closed them, so that the job store's file cannot become standard error.
  /// Outputs are opened for reading only, so that writes to them still fail.
  public static func reserveStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = try? open("/dev/null", descriptor == 0 ? .writing : .reading)
    }
  }

  /// Makes writes to a closed pipe or beyond the file size limit fail instead of ending the process.
  public static func ignoreBrokenPipes() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }

  /// Flushes the output and ends the process without other cleanup. Other threads may be closing connections, and their
  /// libraries (OpenSSL, libssh2) would crash if their globals were destroyed.
  public static func exit(_ status: Int32) -> Never {
    fflush(nil)
    exitAtOnce(status)
  }

  /// Ends the process immediately, without `atexit` handlers or waiting for threads.
  public static func exitAtOnce(_ status: Int32) -> Never { _exit(status) }

  // MARK: Limits

  /// The soft limit on open descriptors; `nil` if unknown.
  public static var descriptorLimit: UInt64? {
    limits(__rlimit_resource_t(RLIMIT_NOFILE.rawValue)).map { UInt64($0.rlim_cur) }
  }

  /// The soft limit on the user's processes and threads; `nil` if unknown.
  public static var processLimit: UInt64? {
    limits(__rlimit_resource_t(__RLIMIT_NPROC.rawValue)).map { UInt64($0.rlim_cur) }
  }

  /// The soft limit on the process's address space in bytes; `nil` if there is none.
  public static var addressSpaceLimit: UInt64? {
    limits(__rlimit_resource_t(RLIMIT_AS.rawValue)).flatMap {
      $0.rlim_cur == rlim_t.max ? nil : UInt64($0.rlim_cur)
    }
  }

  /// The soft limit on the size of a file that this process writes, in bytes; `nil` if unknown.
  public static var fileSizeLimit: UInt64? {
    limits(__rlimit_resource_t(RLIMIT_FSIZE.rawValue)).map { UInt64($0.rlim_cur) }
  }

  private static func limits(_ resource: __rlimit_resource_t) -> rlimit? {
    var limits = rlimit()
    return getrlimit(resource, &limits) == 0 ? limits : nil
  }

  /// Raises the soft limit on descriptors to the hard limit, but at most to `enough`.
  public static func raiseDescriptorLimit(to enough: UInt64) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard var limit = limits(resource), limit.rlim_cur < min(limit.rlim_max, rlim_t(enough)) else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(enough))
    _ = setrlimit(resource, &limit)
  }

  /// Whether `count` more descriptors can be open at the same time.
  public static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = dup(2)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  public static func canStartThreads(_ count: Int) -> Bool {
    var gate = pthread_mutex_t()
    pthread_mutex_init(&gate, nil)
    defer { pthread_mutex_destroy(&gate) }
    return withUnsafeMutablePointer(to: &gate) { gate in
      pthread_mutex_lock(gate)
      var threads: [pthread_t] = []
      for _ in 0..<count {
        var thread = pthread_t()
        let code = pthread_create(
          &thread, nil,
          { gate in
            if let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) {
              pthread_mutex_lock(gate)
              pthread_mutex_unlock(gate)
            }
            return nil
          }, gate)
        guard code == 0 else { break }
        threads.append(thread)
      }
      pthread_mutex_unlock(gate)
      for thread in threads { pthread_join(thread, nil) }
      return threads.count == count
    }
  }
}
