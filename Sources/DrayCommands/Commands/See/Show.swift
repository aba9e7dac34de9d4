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
      "Request, response, validators, segments, attempts, digests, and errors. Of a group (g3), how far it is, and its jobs. Secrets are hidden; --reveal shows those in URLs."
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
      if !json { try await writeHead(of: id) }
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
    var page = JobPage(details: details, isVerbose: verbose, columns: output.columns)
    if let runner = job.runner { page.runner = try await manager.name(ofRunner: runner) }
    output.write(page.text)
    return .success
  }

  /// Writes the line above the jobs of a group.
  private func writeHead(of text: String) async throws {
    guard let manager = try await Store.look() else { return }
    let id = try await JobIDs.group(text, manager)
    guard let group = try await manager.jobs.groups().first(where: { $0.label.id == id }) else { return }
    var head = GroupHead(group)
    let live = try await manager.progress()
    try await manager.jobs.forEachSummary(of: JobChoice(group: id)) { job in
      let entry = job.state == .active ? live[job.id] : nil
      head.add(job.state, received: entry?.received ?? job.received, size: entry?.size ?? job.size)
    }
    ResultOutput.standard.write(head.text(reveals: reveal) + "\n\n")
  }
}
