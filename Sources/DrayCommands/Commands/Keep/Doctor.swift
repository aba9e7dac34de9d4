// `dray doctor`: checks for common problems.

internal import ArgumentParser
internal import DrayKit

struct Doctor: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look for what keeps downloads from working here.",
    discussion: """
      Looks at libcurl, CA certificates, the clock, proxy variables, the file system of DIR (or the current directory), the \
      queue and its database, the configuration and the shell, and says what to do. One line for each: good; limited, if something works \
      with less than there could be; bad, if downloads fail or are at risk. Nothing is sent to a server of files. In DIR, files \
      are made and removed again; in a database, one row is written and taken back.

      With --json, each line is an object: check, level, message, and advice, which may be null. The exit status is 1 if \
      something is bad.
      """)

  @Argument(
    help: ArgumentHelp("The directory that files are to be fetched into.", valueName: "dir"), completion: .directory)
  var directory: String?

  @Flag(help: "Print JSON: one object per line.")
  var json = false

  func execute() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    var configuration: Failure?
    do throws(Failure) { _ = try ConfigurationCheck.run(ConfigurationSource.current()) } catch {
      configuration = error
    }
    let directory = surroundings.absolute(directory ?? "")
    guard !ObjectPlace.isMeant(by: directory) else {
      throw OptionValue.bad("the directory", "doctor looks at this machine: name a directory of it")
    }
    let findings = DoctorRules.findings(await DoctorLook.facts(directory, configuration: configuration))
    for finding in findings {
      if json { ResultOutput.standard.write(finding.json) } else { ResultOutput.standard.write(finding.line + "\n") }
    }
    return findings.contains { $0.level == .bad } ? .other : .success
  }
}
