// The whole program: parses the command line, runs the command, and returns the exit status.

internal import ArgumentParser
internal import DrayKit
internal import Posix

public enum DrayProgram {
  /// Runs the command line of this process, then exits.
  ///
  /// This function is not asynchronous. The runtime acquires descriptors and threads before asynchronous code runs, and
  /// crashes or hangs where there are too few.
  public static func main() -> Never {
    System.reserveStandardDescriptors()
    System.ignoreBrokenPipes()
    ProcessLimits.raise()
    let words = Array(System.argumentBytes.dropFirst())
    // A service is idle most of the time: what counts there is memory.
    System.limitHeaps(to: words.contains(Array("serve".utf8)) ? 1 : 3)
    // A bug report from a system without /proc needs the version.
    let isVersion = words == [Array("--version".utf8)]
    if let lack = ProcessLimits.lackOfSpace ?? (isVersion ? nil : ProcessLimits.lack) {
      Messages.print("\(lack.what); \(lack.advice)")
      System.exit(ExitStatus.other.rawValue)
    }
    if let refusal = OutsideText.refusal(words: words, environment: System.environmentBytes) {
      Messages.print(refusal)
      System.exit(ExitStatus.usage.rawValue)
    }
    Task.detached(priority: .userInitiated) {
      let words = Array(System.arguments.dropFirst())
      let status: Int32
      if AriaProgram.isCalled(by: System.arguments.first) {
        status = await AriaProgram.run(words)
      } else {
        status = await run(words).rawValue
      }
      Store.close()
      System.exit(status)
    }
    System.waitForever()
  }

  private static let usage = UsageText(DrayRoot.all)

  /// Runs one command line. The results have been written when it returns.
  static func run(_ arguments: [String]) async -> ExitStatus {
    if let status = ReferenceAnswer.run(arguments, usage) { return status }
    do throws(Failure) {
      if let (host, words) = try RemoteHost.take(from: arguments) {
        if host.isService { return try await RemoteExecution.run(host.destination, words, .read(DrayRoot.self)) }
        return try RemoteRun.run(host, words)
      }
    } catch {
      Messages.print(error)
      return error.exitStatus
    }
    // curl's options take no value after `=`.
    if arguments.first != "curl", let wrong = UsageText.emptyValue(arguments) {
      Messages.print(wrong)
      return .usage
    }
    let output = ResultOutput.standard
    var status: ExitStatus
    var settings = CommandSettings(typed: arguments)
    do {
      let arguments = try CopiedLine.expanded(arguments) { () throws(Failure) in
        try Surroundings.real().standardInput("curl -")
      }
      var prepared = try PreparedCommand.make(arguments, environment: ProcessVariables.all)
      settings = prepared.settings
      let command: any ParsableCommand
      do {
        command = try DrayRoot.command(settings.arguments)
      } catch  where !DrayRoot.exitCode(for: error).isSuccess {
        prepared = try PreparedCommand.make(arguments, environment: ProcessVariables.all, isRefused: true)
        guard prepared.settings.typed != settings.typed else { throw error }
        settings = prepared.settings
        command = try DrayRoot.command(settings.arguments)
      }
      guard let command = command as? any DrayCommand else {
        // A group without a subcommand throws its help.
        var other = command
        try other.run()
        return .success
      }
      if let remark = prepared.remark { Messages.print(remark) }
      prepared.context.reads = { [globals = prepared.context.globals] words in
        let other = try PreparedCommand.make(globals.words + words, environment: ProcessVariables.all)
        return try DrayRoot.parseAsRoot(other.settings.arguments)
      }
      status = try await CommandContext.$current.withValue(prepared.context) { try await command.execute() }
    } catch let failure as Failure {
      Messages.print(settings.placing(failure))
      AriaResults.current?.record(failure)
      status = failure.exitStatus
    } catch let status as EarlyExit {
      return status.status
    } catch {
      status = report(error, settings)
    }
    output.flush()
    if let failure = output.failure { Messages.print(failure) }
    // The transfer is done even if its results cannot be printed, but the caller must know that they are missing.
    return status == .success && output.isBroken ? .other : status
  }

  /// Prints an error of the parser: help to standard output, other errors as one line.
  private static func report(_ error: any Error, _ settings: CommandSettings) -> ExitStatus {
    let message = DrayRoot.message(for: error)
    if DrayRoot.exitCode(for: error).isSuccess {
      // The parser recognizes a request for help anywhere on the line. The help text is dray's.
      if message.hasPrefix("OVERVIEW: "), ReferenceAnswer.writeHelp(settings.typed) { return .success }
      ResultOutput.standard.write(message.hasSuffix("\n") ? message : message + "\n")
      return .success
    }
    let line = usage.line(message, arguments: settings.typed)
    Messages.print(settings.place(of: message).map { "\($0): \(line)" } ?? line)
    return .usage
  }
}
