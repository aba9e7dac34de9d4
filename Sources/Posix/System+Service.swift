// Calls for a background service: its log, its start, its end.

internal import CLinux
internal import Glibc

extension System {
  // MARK: Files

  /// Opens a file for appending; creates it if missing. Does not follow a link.
  public static func openForAppending(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
    try open(path, [.writing, .create, .append, .noFollow], mode: mode)
  }

  /// Opens a file for reading and writing; creates it if missing. Does not follow a link.
  public static func openOrCreate(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
    try open(path, [.both, .create, .noFollow], mode: mode)
  }

  /// Renames a file and replaces an existing one. Ignores errors.
  public static func move(_ path: String, to other: String) { try? rename(path, to: other) }

  /// Sets the length of a file (`ftruncate(2)`).
  /// - Parameter call: The name of the call in an error.
  public static func truncate(
    _ descriptor: Int32, to size: Int64, as call: String = "ftruncate"
  ) throws(SystemError) {
    try retrying(call) { ftruncate(descriptor, off_t(size)) }
  }

  // MARK: Time

  /// Returns a moment in local time, by default with its offset: `2026-11-21T04:35:12+0000`.
  /// - Parameter format: As for `strftime`.
  public static func localTime(_ seconds: Int64, _ format: String = "%Y-%m-%dT%H:%M:%S%z") -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "\(seconds)" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the seconds by which local time is ahead of UTC at a moment; 0 if they are unknown.
  public static func zoneOffset(at seconds: Int) -> Int {
    var time = time_t(seconds)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  // MARK: Processes

  public static var processID: Int32 { getpid() }

  /// The path of this process's program; `nil` if the system does not provide it.
  public static var programPath: String? {
    #if DRAY_PORTABLE
    guard let name = arguments.first else { return nil }
    if name.contains("/") { return realPath(name) }
    return (variable("PATH") ?? "").split(separator: ":").lazy.compactMap { realPath("\($0)/\(name)") }.first(
      where: isFile)
    #else
    return realPath("/proc/self/exe")
    #endif
  }

  /// Whether this program starts helpers that speak D-Bus.
  public static var usesBus: Bool {
    #if DRAY_PORTABLE
    false
    #else
    true
    #endif
  }

  /// Whether such a helper finds a system bus on this machine.
  public static var hasSystemBus: Bool {
    guard usesBus else { return false }
    return variable("DBUS_SYSTEM_BUS_ADDRESS").map { !$0.isEmpty } ?? (kind("/run/dbus/system_bus_socket") == .other)
  }

  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Sets a variable of the environment. Call this before other threads read the environment.
  public static func setVariable(_ name: String, _ value: String) { setenv(name, value, 1) }

  /// Removes variables from the environment, so that children do not inherit them. Call this before other threads read
  /// the environment.
  public static func unsetVariables(_ names: [String]) { for name in names { unsetenv(name) } }

  /// Sends SIGTERM.
  public static func askToEnd(_ process: Int32) throws(SystemError) { try retrying("kill") { kill(process, SIGTERM) } }

  /// Starts a program that continues after this process ends and the terminal closes. It has its own session, this
  /// process's working directory, and standard input and output from and to `/dev/null`.
  /// - Returns: The process id, and the reading end of a pipe from its standard error.
  public static func startDetached(
    _ path: String, _ arguments: [String], variable: (name: String, value: String)
  ) throws(SystemError) -> (process: Int32, errors: Int32) {
    let nothing = try open("/dev/null", .both)
    defer { close(nothing) }
    let pipe = try pipe()
    defer { close(pipe.writer) }
    var program = ChildStart(arguments, path: path)
    (program.variables, program.group) = ([variable.name: variable.value], .ofNewSession)
    (program.input, program.output, program.error) = (nothing, nothing, pipe.writer)
    do throws(SystemError) { return (try start(program), pipe.reader) } catch {
      close(pipe.reader)
      throw error
    }
  }

  public static func leaveDirectory() { _ = chdir("/") }

  /// Redirects standard error to `/dev/null`. A reader of the former pipe sees its end.
  public static func leaveStandardError() {
    guard let nothing = try? open("/dev/null", .writing) else { return }
    dup2(nothing, 2)
    close(nothing)
  }
}

extension System {
  /// Opens a file for reading.
  public static func openToRead(_ path: String) throws(SystemError) -> Int32 { try open(path, .reading) }

  public static func pause(_ seconds: Double) { usleep(useconds_t(seconds * 1_000_000)) }
}
