// `dray set`: changes the settings of waiting or stopped jobs.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import Synchronization

struct SetCommand: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change the settings of jobs.",
    discussion: """
      Each KEY is the long name of an option of `dray add`: `limit-rate=1M`, `dir=DIR`, `header='X-Key: 1'`. An option \
      that takes no value is set to yes or no: `insecure=no`. `KEY=` removes a setting. A setting that may be repeated is \
      replaced by all the values that are given; `KEY+=VALUE` adds one, and replaces a header field of the same name. `user=NAME` asks for the password, or reads DRAY_PASSWORD, as --user does.

      Jobs that are queued, paused, interrupted or failed can be changed. Of an active one `between` and `limit-rate` can, which \
      apply within two seconds, and `priority`, which counts from its next attempt on; pause it first for the others. Either all changes to \
      all jobs are made, or none. Received bytes are kept. If `dir` changes, the part file is moved there; if you have \
      already moved it yourself, it is used as it is. `dray set-url` changes the URL.

      EXAMPLES
        dray set 3 limit-rate=500k retries=20
        dray set 3 4 dir=~/isos
        dray set 3 user=ann && dray run
        dray set 3 header+='X-Key: 2' proxy=
      """)

  @Argument(
    help: ArgumentHelp("The jobs, by their ids (g3 is those of a group), and the settings.", valueName: "id|key=value"),
    completion: .custom(JobIDs.complete))
  var words: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Read the password of user= from standard input.",
      discussion: "Only its first line is used; it is not visible in `ps`."))
  var passwordStdin = false

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let (texts, settings) = try SettingWords.parse(words)
    guard let first = texts.first else { throw OptionValue.bad("no job is given", "name jobs by their ids") }
    guard !settings.words.isEmpty else {
      throw OptionValue.bad(
        "no setting is given", "write KEY=VALUE",
        advice: "`dray edit \(TextSafety.escaped(first))` opens an editor on all of them")
    }
    var surroundings = try Surroundings.real()
    let manager = try await Store.look()
    var jobs: [Job] = []
    for id in try await JobIDs.expand(texts, manager, states: ChangeRule.states) {
      jobs.append(try await JobIDs.job(id, manager))
    }
    guard let manager else { return .usage }
    // Jobs that cannot be changed are refused before the user is asked for a password.
    for job in jobs {
      if let objection = ChangeRule.objection(to: JobRevision(job, job.specification)) { throw objection }
    }
    if passwordStdin { surroundings = try SetCommand.withPassword(settings, surroundings) }
    let (memory, ask) = (PasswordMemory(), surroundings.askPassword)
    surroundings.askPassword = { memory.answer($0, ask) }
    var changes: [JobRevision] = []
    for job in jobs {
      changes.append(
        try JobEditing.change(
          job, settings.given(for: job.specification),
          prerequisites: try await manager.jobs.prerequisites(of: job.id), surroundings))
    }
    let outcomes = try await manager.change(changes)
    if !quiet { for line in ChangeReport.lines(outcomes, changes) { Messages.print(line) } }
    return .success
  }

  private static func withPassword(
    _ settings: SettingWords, _ surroundings: Surroundings
  ) throws(Failure) -> Surroundings {
    guard settings.words.contains(where: { $0.key == "user" && !$0.value.isEmpty && !$0.value.contains(":") }) else {
      throw OptionValue.bad("--password-stdin", "it reads the password for user=NAME: add that, without a password")
    }
    let line = try surroundings.standardInput("--password-stdin").prefix { $0 != 0x0A && $0 != 0x0D }
    var changed = surroundings
    guard let password = OutsideText.text(line) else {
      throw OptionValue.bad("--password-stdin", "it is not valid UTF-8")
    }
    changed.environment["DRAY_PASSWORD"] = password
    return changed
  }
}

/// Asks the user for each password only once for all jobs.
final class PasswordMemory: Sendable {
  private let known = Mutex<[String: String]>([:])

  func answer(_ question: String, _ ask: (String) -> String?) -> String? {
    if let answer = known.withLock({ $0[question] }) { return answer }
    let answer = ask(question)
    known.withLock { $0[question] = answer }
    return answer
  }
}
