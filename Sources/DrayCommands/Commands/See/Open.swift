// `dray open`: opens a fetched file with the program that the desktop has for it.

internal import ArgumentParser
internal import DrayKit
internal import FoundationEssentials
internal import Posix

struct Open: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the file of a complete job.",
    discussion: """
      Uses xdg-open (or open, where the system has that), or the program that BROWSER names. Of an object the place is \
      printed: s3://BUCKET/KEY.

      EXAMPLE
        dray open 3
      """)

  @Argument(help: ArgumentHelp("The job.", valueName: "id"), completion: .custom(JobIDs.complete))
  var id: String

  func execute() async throws -> ExitStatus {
    guard let number = try JobIDs.parse([id]).first else { return .usage }
    let job = try await JobIDs.job(number, try Store.look())
    guard job.state == .complete, let target = job.target else {
      throw Failure(
        .other, "job \(number)", "it \(job.state.predicate)", advice: "only files of complete jobs can be opened")
    }
    guard job.specification.place.traits.holdsFiles else {
      ResultOutput.standard.write(target + "\n")
      return .success
    }
    guard System.isFile(target) else {
      throw Failure(.file, target, "the file no longer exists", advice: "`dray retry \(number)` fetches it again")
    }
    let opener = try Opener.find(ProcessVariables.all)
    let status: Int32
    do throws(SystemError) {
      // Standard output is only for results. Therefore the output of the desktop's programs goes to standard error.
      status = try System.run(opener, [opener, target], output: 2)
    } catch {
      throw Failure(.other, opener, "it cannot be started: \(error.text)")
    }
    guard status == 0 else {
      throw Failure(
        .other, target, "\(opener) could not open it (exit status \(status))",
        advice: "`dray path \(number)` prints the path")
    }
    return .success
  }
}

/// The program that opens files.
enum Opener {
  /// - Throws: Kind `other` if there is no such program.
  static func find(_ environment: [String: String]) throws(Failure) -> String {
    let names = ["xdg-open"]
    // As xdg-open does, this code reads BROWSER as a list.
    let browsers = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
    if let found = (names + browsers).lazy.compactMap({ ProgramPath.find($0, environment) }).first { return found }
    throw Failure(
      .other, "dray open", "no program that opens files was found",
      advice: "install xdg-utils, or set BROWSER to a program")
  }
}
