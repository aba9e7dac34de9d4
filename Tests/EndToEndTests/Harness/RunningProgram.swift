// A running program: its output so far, its signals, and its end within a time limit.

import Foundation
import Synchronization

/// How a program ended.
enum Exit: Equatable, CustomStringConvertible {
  case code(Int32)
  case signal(Int32)

  init(waitStatus status: Int32) {
    self = status & 0x7F == 0 ? .code((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }

  var description: String {
    switch self {
    case .code(let code): "exit \(code)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}

/// An ended program, and its output.
struct Finished: CustomStringConvertible {
  let command: String
  let exit: Exit
  let output: String
  let errors: String

  /// The exit status; nil when a signal ended it.
  var status: Int32? {
    if case .code(let code) = exit { code } else { nil }
  }

  /// Both streams, for searching.
  var text: String { output + errors }

  var description: String {
    "$ \(command)\n\(exit)\n--- output\n\(output.prefix(4000))\n--- errors\n\(errors.prefix(4000))"
  }
}

/// A child process. The first caller that waits for its end reaps it.
final class RunningProgram: Sendable {
  let pid: pid_t
  let command: String
  private let outputPath: String
  private let errorsPath: String
  private let ended = Mutex<Exit?>(nil)

  init(pid: pid_t, command: String, outputPath: String, errorsPath: String) {
    self.pid = pid
    self.command = command
    self.outputPath = outputPath
    self.errorsPath = errorsPath
  }

  /// Its standard output so far.
  var output: String { Self.text(outputPath) }

  /// Its standard error so far.
  var errors: String { Self.text(errorsPath) }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// How it ended; nil while it runs.
  var exit: Exit? {
    ended.withLock { ended in
      if ended == nil {
        var status: Int32 = 0
        if waitpid(pid, &status, WNOHANG) == pid { ended = Exit(waitStatus: status) }
      }
      return ended
    }
  }

  /// Whether it is stopped and can be continued.
  var isStopped: Bool {
    let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return stat.split(separator: ")").last?.split(separator: " ").first == "T"
  }

  /// Sends `signal`, unless it has ended.
  func send(_ signal: Int32) {
    ended.withLock { ended in
      // Under the lock for reaping, so that the process id still belongs to the program.
      if ended == nil { _ = kill(pid, signal) }
    }
  }

  /// Waits for its end.
  ///
  /// - Throws: `HarnessError` with its output if it takes more than `seconds`; then it is killed.
  func finish(seconds: Double = patience) async throws -> Finished {
    do {
      try await waitUntil("the end of the program", seconds: seconds, every: 0.005) { exit != nil }
    } catch {
      send(SIGKILL)
      throw HarnessError("\(error)\n\(snapshot(.signal(SIGKILL)))")
    }
    return snapshot(exit ?? .signal(0))
  }

  /// Kills it and waits for its end.
  @discardableResult
  func kill9() async throws -> Finished {
    send(SIGKILL)
    return try await finish()
  }

  /// Waits until `condition` holds for this program, which must keep running until then.
  func wait(
    for what: String, seconds: Double = patience, every interval: Double = 0.02,
    _ condition: () async throws -> Bool
  ) async throws {
    do {
      try await waitUntil(what, seconds: seconds, every: interval) {
        // Read before the condition: the program may meet the condition and then end.
        let exit = exit
        if try await condition() { return true }
        if let exit { throw HarnessError("the program ended (\(exit)) before \(what)") }
        return false
      }
    } catch {
      throw HarnessError("\(error)\n\(snapshot(exit ?? .signal(0)))")
    }
  }

  private func snapshot(_ exit: Exit) -> Finished {
    Finished(command: command, exit: exit, output: output, errors: errors)
  }
}
