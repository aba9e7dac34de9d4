// `dray set-url`: gives a job a new link to the same file.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct SetURL: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-url",
    abstract: "Give a job a new URL for the same file.",
    discussion: """
      For expired links. The received bytes are kept if the validator or the overlap shows that it is the same file.

      Header fields, cookies, user name and password, tokens and keys of the job belong to the server they were given \
      for, as do the method and the body of a request that sends data. If the new URL has another scheme, \
      host or port, the job continues without them, as a plain GET, and lists what was dropped; --keep-credentials \
      sends all of it to the new server as well. S3 keys are never sent, only used for signing.

      `dray get --new-link URL` finds the job by its target or its name.

      EXAMPLES
        dray set-url 3 'https://example.org/big.iso?signature=NEW' && dray run
        dray set-url --keep-credentials 3 https://mirror.example.org/big.iso
      """)

  @Argument(help: ArgumentHelp("The job.", valueName: "id"), completion: .custom(JobIDs.complete))
  var id: String

  @Argument(help: ArgumentHelp("The new URL.", valueName: "url"))
  var url: String

  @Flag(help: "Send header fields, cookies, passwords and body to another server as well.")
  var keepCredentials = false

  func execute() async throws -> ExitStatus {
    let ids = try JobIDs.parse([id])
    var list = InputList()
    try list.append(url, place: "the URL")
    guard let number = ids.first, let entry = list.entries.first else { return .usage }
    for line in list.remarks { Messages.print(line) }
    let manager = try await Store.look()
    _ = try await JobIDs.job(number, manager)
    let change = try await manager?.setURL(
      number, entry.url, user: list.options(of: entry).userInfo, keepingCredentials: keepCredentials)
    switch change?.result ?? .unknown {
    case .done(let job):
      let next = job.state == .paused ? "`dray resume \(number)` continues it" : "`dray run` continues it"
      Messages.print("[\(number)] has the new URL; \(next)")
    case .asked:
      Messages.print("[\(number)] its runner was asked to continue with the new URL")
    case .refused(let reason, let advice):
      Messages.print("job \(number) cannot have another URL: \(Advice.line(reason, advice))")
      return .other
    case .unknown:
      throw JobIDs.unknown(number)
    }
    if let left = change?.left, !left.isEmpty {
      // Credentials that were dropped cannot be restored. The user must enter them again, or use --keep-credentials.
      Messages.print(
        "[\(number)] dropped, as \(entry.url.origin) is another server: \(left.joined(separator: ", "))"
          + (keepCredentials ? "" : " (--keep-credentials keeps them)"))
    }
    return .success
  }
}
