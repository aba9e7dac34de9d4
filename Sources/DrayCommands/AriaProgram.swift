// The program when it runs under the name `aria2c`: it reads aria2's command line, and ends with aria2's table of
// results and exit status.

internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix

/// The command `aria2c`, which is a link to dray.
enum AriaProgram {
  static func isCalled(by path: String?) -> Bool { path.map(PathText.name(of:)) == "aria2c" }

  /// Runs one command line.
  /// - Returns: The exit status of aria2. All results have been written when this method returns.
  static func run(_ typed: [String]) async -> Int32 {
    let output = ResultOutput.standard
    let results = AriaResults()
    let line: AriaLine
    do throws(Failure) { line = try AriaLine(typed, try Surroundings.real()) } catch {
      Messages.print(error)
      results.record(error)
      return results.exitStatus(error.exitStatus)
    }
    // The background process runs the same command line, so remarks about the line are printed only here.
    if !Detachment.isDetached { for remark in line.remarks { Messages.print(remark) } }
    if let text = answer(line) { output.write(text) }
    if let secret = line.words["rpc-secret"] { System.setVariable(SecretSource.variable, secret) }
    var (status, isStopped) = (ExitStatus.success, false)
    for command in commands(line) {
      // A service runs for months, and the usual way to end it is a signal.
      let isService = command.first == "serve"
      let own = await AriaResults.$current.withValue(isService ? nil : results) { await DrayProgram.run(command) }
      if !isService || !own.isStop { status = ExitStatus.combined([status, own]) }
      isStopped = isStopped || own.isStop
      if isStopped || command.first == "add" && own != .success { break }
    }
    await save(line, results, isStopped: isStopped)
    if !line.words.isOn("quiet") { output.write(results.table(line.words["download-result"] ?? "default")) }
    output.flush()
    return results.exitStatus(status)
  }

  /// Writes the unfinished downloads to a file if the command line asks for that (`--save-session`).
  private static func save(_ line: AriaLine, _ results: AriaResults, isStopped: Bool) async {
    guard let path = line.words["save-session"], results.isAccepted else { return }
    // The end of a long list may not have been added yet, so the file of the list stays as it is.
    if isStopped, path == line.words["input-file"] { return }
    do throws(Failure) {
      let ids = results.jobs(all: line.words.isOn("force-save"))
      let jobs = ids.isEmpty ? [] : try await Store.open().jobs.jobs(ids: ids)
      try AriaSession.write(jobs.map(\.specification), to: path)
    } catch {
      Messages.print(AriaSession.failure(error, path))
    }
  }

  /// Returns the command lines of dray to run. The process in the background only serves, because the process in the
  /// foreground has queued the downloads.
  private static func commands(_ line: AriaLine) -> [[String]] {
    Detachment.isDetached ? line.commands.filter { $0.first == "serve" } : line.commands
  }

  /// Returns the help or the version if the command line asks for it, or the message if the line names no download.
  private static func answer(_ line: AriaLine) -> String? {
    switch line.words.request {
    case .version:
      // Scripts read the version from the first line.
      return "aria2 version \(Aria2Session.aria2Version)\ndray \(DrayVersion.text) under the name of aria2c\n"
    case .help:
      return """
        Usage: aria2c [OPTIONS] [URI | METALINK_FILE]...
        This is dray \(DrayVersion.text). It takes the options of aria2: see AS ARIA2C in dray(1).

        """
    case nil: return line.commands.isEmpty ? "No files to download.\n" : nil
    }
  }
}
