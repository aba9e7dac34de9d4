// A separate place for every test: state directory, download directory, environment, fault server.

import FaultServer
import Foundation
import Synchronization

/// Everything that a test works in. Created by `use`, which removes it.
final class Sandbox: Sendable {
  /// The directory of everything else.
  let root: String

  /// A fault server, started.
  let server: FaultServer

  /// The entries of `root`: the sandbox's own, and those that the program may create.
  static let places: Set = ["downloads", "home", "streams", "temporary", "user"]

  private let programs = Mutex<[RunningProgram]>([])
  private let startedBucket = Mutex<FaultBucket?>(nil)
  /// The limit of connections to one file, which programs get from their environment.
  private let connections: Int?

  /// `DRAY_HOME`; the sandbox does not create it.
  var home: String { root + "/home" }

  /// The working directory of programs, and the target directory of jobs.
  var downloads: String { root + "/downloads" }

  /// The directory of programs for temporary files: another test's `clean` does not find a killed program's files
  /// there.
  var temporary: String { root + "/temporary" }

  private init(connections: Int?) throws {
    self.connections = connections
    var template = Array((NSTemporaryDirectory() + "dray-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw HarnessError("cannot make a temporary directory") }
    root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    server = try FaultServer()
    for name in Sandbox.places.subtracting(["home"]) {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
  }

  /// Runs `body` in a new sandbox, as soon as a slot is free.
  ///
  /// `connections` limits the connections to a file, for tests that depend on it: one connection brings the bytes in
  /// order. `DRAY_KEEP` in the environment keeps the directory for inspection.
  static func use(connections: Int? = nil, _ body: (Sandbox) async throws -> Void) async throws {
    await Slots.shared.take()
    do {
      let sandbox = try Sandbox(connections: connections)
      do {
        try await body(sandbox)
      } catch {
        await sandbox.clear()
        throw error
      }
      await sandbox.clear()
    } catch {
      await Slots.shared.give()
      throw error
    }
    await Slots.shared.give()
  }

  private func clear() async {
    for program in programs.withLock({ $0 }) where program.exit == nil {
      _ = try? await program.kill9()
    }
    server.stop()
    startedBucket.withLock { $0 }?.stop()
    if ProcessInfo.processInfo.environment["DRAY_KEEP"] == nil {
      try? FileManager.default.removeItem(atPath: root)
    }
  }

  /// A bucket that lies when it is told to, started by the first call. From then on, programs have its keys.
  func bucket() throws -> FaultBucket {
    try startedBucket.withLock { bucket in
      if let bucket { return bucket }
      let new = try FaultBucket()
      bucket = new
      return new
    }
  }

  // MARK: Programs

  /// The environment of programs: only the search path comes from the machine.
  var environment: [String: String] {
    var environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": root + "/user", "DRAY_HOME": home, "TMPDIR": temporary, "LANG": "C.UTF-8", "TERM": "xterm-256color",
      "DRAY": (try? programPath()) ?? "",
      // A gate may stay closed until a slow machine gets to its check.
      "DRAY_STALL_TIMEOUT": "10m",
    ]
    if let connections { environment["DRAY_MAX_CONNECTIONS"] = "\(connections)" }
    if let bucket = startedBucket.withLock({ $0 }) { environment.merge(bucket.place.variables) { $1 } }
    return environment
  }

  /// Starts `dray` with `arguments`; `change` edits the launch.
  func start(_ arguments: [String], _ change: (inout Launch) -> Void = { _ in }) throws -> RunningProgram {
    try launch(programPath(), arguments, change)
  }

  /// Starts any program in the sandbox; files keep its output.
  func launch(
    _ path: String, _ arguments: [String], _ change: (inout Launch) -> Void = { _ in }
  ) throws -> RunningProgram {
    try programs.withLock { programs in
      let stem = "\(root)/streams/\(programs.count)"
      var launch = Launch(
        path: path, arguments: arguments, environment: environment, directory: downloads,
        output: .file(stem + ".out"), errors: .file(stem + ".err"))
      change(&launch)
      let command = ([(path as NSString).lastPathComponent] + arguments).joined(separator: " ")
      let program = RunningProgram(
        pid: try launch.start(), command: command, outputPath: stem + ".out", errorsPath: stem + ".err")
      programs.append(program)
      return program
    }
  }

  /// Runs `dray` to its end.
  func dray(_ arguments: String..., input: String? = nil, seconds: Double = patience) async throws -> Finished {
    try await dray(arguments, input: input, seconds: seconds)
  }

  /// Runs `dray` to its end. Its JSON output must match the schema.
  func dray(_ arguments: [String], input: String? = nil, seconds: Double = patience) async throws -> Finished {
    let source = try input.map { try write($0, to: "../streams/input-\(UUID().uuidString)") }
    let finished = try await start(arguments) { launch in
      if let source { launch.input = .file(source) }
    }.finish(seconds: seconds)
    WireCheck.expect(arguments, finished.output)
    return finished
  }

  /// Runs a tool of the system to its end.
  func tool(_ name: String, _ arguments: [String], seconds: Double = patience) async throws -> Finished {
    try await launch(toolPath(name), arguments).finish(seconds: seconds)
  }

  /// Runs a line of bash, in which `$DRAY` is the program.
  func shell(_ line: String, seconds: Double = patience) async throws -> Finished {
    try await tool("bash", ["-c", line], seconds: seconds)
  }

  // MARK: Files

  /// The path of `name` in the download directory.
  func path(_ name: String) -> String { "\(downloads)/\(name)" }

  /// Writes `text` to a file of the download directory and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// The text of a file of the download directory; nil if it does not exist.
  func read(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }
}
