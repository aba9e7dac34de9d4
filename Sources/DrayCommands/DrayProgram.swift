// The whole program: parses the command line, runs the command, and returns the exit status.

internal import ArgumentParser
internal import DrayKit
internal import Posix

public enum DrayProgram {
  /// Runs the command line of this process, then exits.
  ///
  /// This function is not asynchronous, for the following reason. Before asynchronous code runs, Swift's runtime
  /// acquires descriptors and threads, and it crashes or hangs if there are too few of them.
  public static func main() -> Never {
    System.reserveStandardDescriptors()
    System.ignoreBrokenPipes()
    ProcessLimits.raise()
    let words = Array(System.argumentBytes.dropFirst())
    // A service is idle most of the time, so its memory matters more than its speed.
    System.limitHeaps(to: words.contains(Array("serve".utf8)) ? 1 : 3)
    // On a system without /proc, a bug report needs the version nevertheless.
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

  /// Runs one command line. All results have been written when this method returns.
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
    // The options of `dray curl` may end in `=`, because curl's options take no value after `=`.
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
        // A command group without a subcommand shows its help as an error.
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
      status = await report(settings.placing(failure), arguments)
    } catch let status as EarlyExit {
      return status.status
    } catch {
      status = report(error, settings)
    }
    output.flush()
    if let failure = output.failure { Messages.print(failure) }
    // The transfer is done even if its results cannot be printed, but the caller must learn that they are missing.
    return status == .success && output.isBroken ? .other : status
  }

  private static func report(_ failure: Failure, _ arguments: [String]) async -> ExitStatus {
    // An invalid configuration, for example. The extension shows it.
    if BrowserHostCommand.isCalled(by: arguments) { return await BrowserSession.refuse(failure) }
    Messages.print(failure)
    AriaResults.current?.record(failure)
    return failure.exitStatus
  }

  /// Prints an error of the parser: a help text goes to standard output, any other error to standard error as one line.
  private static func report(_ error: any Error, _ settings: CommandSettings) -> ExitStatus {
    let message = DrayRoot.message(for: error)
    if DrayRoot.exitCode(for: error).isSuccess {
      // The parser finds a request for help anywhere on the command line. dray writes the help text itself.
      if message.hasPrefix("OVERVIEW: "), ReferenceAnswer.writeHelp(settings.typed) { return .success }
      ResultOutput.standard.write(message.hasSuffix("\n") ? message : message + "\n")
      return .success
    }
    let line = usage.line(message, arguments: settings.typed)
    Messages.print(settings.place(of: message).map { "\($0): \(line)" } ?? line)
    return .usage
  }
}
