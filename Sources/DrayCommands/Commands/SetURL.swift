// `dray set-url`: a fresh link for the same file.

internal import ArgumentParser
internal import DrayKit

struct SetURL: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-url",
    abstract: "Give a job a fresh URL for the same file.",
    discussion: """
      For links that expired. The bytes are kept if the validator or the overlap shows that it is the same file. \
      Header fields, cookies and passwords of the job stay with the server they were given for.

      EXAMPLE
        dray set-url 3 'https://example.org/big.iso?signature=NEW' && dray run
      """)

  @Argument(help: ArgumentHelp("The job.", valueName: "id"), completion: .custom(JobIDs.complete))
  var id: String

  @Argument(help: ArgumentHelp("The new URL.", valueName: "url"))
  var url: String

  func execute() async throws -> ExitStatus {
    let ids = try JobIDs.parse([id])
    var list = InputList()
    try list.append(url, place: "the URL")
    guard let number = ids.first, let entry = list.entries.first else { return .usage }
    let manager = try Store.look()
    _ = try JobIDs.job(number, manager)
    let credentials = list.options(of: entry).userInfo.map { Credentials(user: $0.user, password: $0.password ?? "") }
    switch try manager?.setURL(number, entry.url, credentials: credentials) ?? .unknown {
    case .done(let job):
      let next = job.state == .paused ? "`dray resume \(number)` continues it" : "`dray run` continues it"
      Messages.print("[\(number)] has the new URL; \(next)")
    case .asked:
      Messages.print("[\(number)] its runner was asked to go on with the new URL")
    case .refused(let reason):
      Messages.print("job \(number) cannot have another URL: \(reason)")
      return .other
    case .unknown:
      throw JobIDs.unknown(number)
    }
    return .success
  }
}
