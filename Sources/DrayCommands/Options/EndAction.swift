// The action of `--when-done`, which is carried out once a run has nothing left to do.

internal import DrayKit
internal import DrayStore
internal import Posix

enum EndAction: Equatable, Sendable {
  case sleep, powerOff
  case command([String])

  /// Reads the value of the option.
  /// - Parameter home: The user's home directory.
  /// - Throws: Kind `usage`.
  init(_ text: String, home: String?) throws(Failure) {
    switch text {
    case "sleep": self = .sleep
    case "poweroff": self = .powerOff
    default:
      let words: [String]
      do throws(CommandWordsError) { words = try CommandWords.split(text, home: home) } catch {
        throw OptionValue.bad("--when-done", error.message)
      }
      guard !words.isEmpty else {
        throw OptionValue.bad("--when-done", "it is empty", advice: "use sleep, poweroff, or a command")
      }
      self = .command(words)
    }
  }

  var words: [String] {
    switch self {
    case .sleep: ["systemctl", "suspend"]
    case .powerOff: ["systemctl", "poweroff"]
    case .command(let words): words
    }
  }

  /// Carries out the action, unless a signal has ended the run. If the action fails, that is reported, but the exit
  /// status stays the same.
  func carryOut(after status: ExitStatus) async {
    guard !status.isStop else { return }
    if let reason = await objection() {
      return Messages.print("--when-done \(name) is left out: \(reason)")
    }
    let hidden = ChildProgram.secretVariables.flatMap { ["-u", $0] }
    let given = ["DRAY_RUN_EXIT_STATUS=\(status.rawValue)"]
    do throws(SystemError) {
      // Standard output is only for results.
      let ended = try System.run("/usr/bin/env", ["env"] + hidden + given + words, output: 2)
      if ended != 0 { Messages.print("--when-done \(name): it ended with exit status \(ended)") }
    } catch {
      Messages.print("--when-done \(name): it cannot be started: \(error.text)")
    }
  }

  private var name: String {
    switch self {
    case .sleep: "sleep"
    case .powerOff: "poweroff"
    case .command(let words): TextSafety.escaped(words[0])
    }
  }

  /// Returns the reason why the action could interrupt transfers of another process; `nil` if it cannot.
  private func objection() async -> String? {
    if case .command = self { return nil }
    do throws(Failure) {
      guard let manager = try await Store.look() else { return nil }
      return try await manager.isTransferring() ? "another dray is still transferring" : nil
    } catch {
      return "another dray may still be transferring: \(error.message)"
    }
  }
}

extension RunArguments {
  /// Returns the action for the end of the run; `nil` if there is none.
  /// - Parameter endless: The reason why the run never ends; `nil` if it ends.
  /// - Throws: Kind `usage`.
  func endAction(endless: String? = nil) throws(Failure) -> EndAction? {
    guard let whenDone else { return nil }
    if let endless {
      // A value in the configuration may be meant for other runs.
      if CommandContext.current.configured.contains("when-done") { return nil }
      throw OptionValue.bad("--when-done", endless, advice: "omit it")
    }
    return try EndAction(whenDone, home: ProcessVariables.all["HOME"])
  }
}
