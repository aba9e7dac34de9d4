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
    try Opener.open(target, ProcessVariables.all, otherwise: "`dray path \(number)` prints the path")
    return .success
  }
}
