// `dray show`: shows everything about a job.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix

struct Show: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything about a job.",
    discussion:
      "Request, response, validators, segments, attempts, digests, and errors. Of a group (g3), its jobs. Secrets are hidden; --reveal shows those in URLs."
  )

  @Argument(help: ArgumentHelp("The job or the group.", valueName: "id"), completion: .custom(JobIDs.complete))
  var id: String

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Show URLs with the secrets in them.")
  var reveal = false

  @Flag(name: .shortAndLong, help: "Print more: the header fields of redirects.")
  var verbose = false

  func execute() async throws -> ExitStatus {
    if JobIDs.groupNumber(id) != nil {
      return try await List.parse(["--group", id] + (json ? ["--json"] : []) + (reveal ? ["--reveal"] : [])).execute()
    }
    guard let number = try JobIDs.parse([id]).first else { return .usage }
    guard let manager = try await Store.look() else { throw JobIDs.unknown(number) }
    let job = try await JobIDs.job(number, manager)
    let details = await JobDetails(
      job: job,
      facts: JobFacts(
        job, after: try await manager.jobs.prerequisites(of: number), hold: try await manager.hold(on: job),
        live: try manager.progress()[number], names: .commandLine, reveals: reveal,
        waits: try await manager.waitContext(), isFile: System.isFile),
      attempts: try await manager.jobs.attempts(of: number), reveals: reveal)
    let output = ResultOutput.standard
    guard !json else {
      output.write(details.json)
      return .success
    }
    var page = JobPage(details: details, isVerbose: verbose)
    if let runner = job.runner { page.runner = try await manager.name(ofRunner: runner) }
    output.write(page.text)
    return .success
  }
}
