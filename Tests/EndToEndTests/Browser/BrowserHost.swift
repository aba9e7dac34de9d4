// `dray browser-host` as a browser starts it: a program with frames on its standard input and output.

import Foundation
import Testing

/// A running host.
final class BrowserHost: Sendable {
  let program: RunningProgram
  private let output: String
  private let input: Int32

  private init(_ program: RunningProgram, output: String, input: Int32) {
    (self.program, self.output, self.input) = (program, output, input)
  }

  deinit { close(input) }

  /// Starts the host.
  /// - Parameter launcher: The script in a manifest; `nil` for the program, with the download directory of the sandbox.
  static func start(
    in sandbox: Sandbox, launcher: String? = nil, _ arguments: [String] = [],
    _ change: (inout Launch) -> Void = { _ in }
  ) throws -> BrowserHost {
    let stem = "\(sandbox.root)/streams/browser-\(UUID().uuidString)"
    guard mkfifo(stem + ".in", 0o600) == 0 else { throw HarnessError("cannot make a pipe") }
    // With both ends open, neither this process nor the program waits for the other to open its end.
    let both = open(stem + ".in", O_RDWR | O_CLOEXEC)
    let writer = open(stem + ".in", O_WRONLY | O_CLOEXEC)
    defer { close(both) }
    let words = launcher == nil ? ["browser-host", "--dir", sandbox.downloads] + arguments : arguments
    let program = try sandbox.launch(launcher ?? programPath(), words) { launch in
      (launch.input, launch.output) = (.file(stem + ".in"), .file(stem + ".out"))
      change(&launch)
    }
    return BrowserHost(program, output: stem + ".out", input: writer)
  }

  /// Ends its input, and waits for its end.
  func finish() async throws -> Finished {
    // The descriptor stays open, but no longer leads to the program's input.
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(nothing, input)
    close(nothing)
    return try await program.finish()
  }

  static func frame(_ bytes: [UInt8], length: UInt32? = nil) -> [UInt8] {
    withUnsafeBytes(of: length ?? UInt32(bytes.count)) { Array($0) } + bytes
  }

  func send(bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw HarnessError("the program does not read") }
      rest.removeFirst(count)
    }
  }

  func send(_ message: [String: Any]) throws {
    try send(bytes: BrowserHost.frame(Array(try JSONSerialization.data(withJSONObject: message))))
  }

  /// The answers so far.
  func answers() throws -> [[String: Any]] {
    var bytes = Array(FileManager.default.contents(atPath: output) ?? Data())[...]
    var answers: [[String: Any]] = []
    while bytes.count >= 4 {
      let length = Int(Array(bytes.prefix(4)).withUnsafeBytes { $0.load(as: UInt32.self) })
      guard bytes.count >= 4 + length else { break }
      let object = try JSONSerialization.jsonObject(with: Data(bytes.dropFirst(4).prefix(length)))
      answers.append(try #require(object as? [String: Any]))
      bytes = bytes.dropFirst(4 + length)
    }
    return answers
  }

  /// Waits for a number of answers.
  func answers(_ count: Int) async throws -> [[String: Any]] {
    try await program.wait(for: "\(count) answers") { try answers().count >= count }
    return try answers()
  }

  /// Sends a message and waits for its answer.
  func ask(_ message: [String: Any]) async throws -> [String: Any] {
    let id = UUID().uuidString
    try send(message.merging(["id": id]) { $1 })
    var found: [String: Any]?
    try await waitUntil("the answer to \(message["type"] ?? "")") {
      found = try answers().first { $0["id"] as? String == id }
      return found != nil || program.exit != nil
    }
    // The program may have answered just before it ended.
    if found == nil { found = try answers().first { $0["id"] as? String == id } }
    return try #require(found, "\(program.errors)")
  }
}

extension Sandbox {
  /// Waits until no process in the background transfers the queue.
  func waitForBackground() async throws {
    try await waitUntil("the end of the background run") {
      let descriptor = open(home + "/browser.lock", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return true }
      defer { close(descriptor) }
      return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
  }

  /// Keeps processes in the background from starting, until the result is closed.
  func blockBackground() throws -> Int32 {
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    chmod(home, 0o700)
    let descriptor = open(home + "/browser.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw HarnessError("a background run is there") }
    return descriptor
  }

  /// Waits until all jobs are complete, and until the process that transferred them has ended.
  func waitForFiles(_ count: Int) async throws {
    try await waitUntil("\(count) files", every: 0.1) {
      try await jobs().count { $0.state == "complete" } == count
    }
    try await waitForBackground()
  }
}
