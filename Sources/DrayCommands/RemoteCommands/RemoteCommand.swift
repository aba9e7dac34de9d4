// `dray --host http://…`: turns the words of a command line into an order for a service. The code in this file has no
// effects outside its values.

internal import DrayKit
internal import DrayStore

struct RemoteCommand: Equatable {
  struct Filter: Equatable {
    var states: [String] = []
    var queue: String?
    var match: String?
  }

  struct Adding: Equatable {
    var urls: [String] = []
    /// The path of the list of `-i`; `-` stands for standard input.
    var file: String?
    var directory: String?
    /// The settings, in the form of the lines that follow a URL in a list.
    var settings: [String] = []
  }

  enum Jobs: Equatable {
    case all
    case ids([JobID])
  }

  enum Command: Equatable {
    case list(Filter, isJSON: Bool)
    case show(JobID, isJSON: Bool)
    case add(Adding)
    case watch([JobID])
    /// Adds jobs, and waits until they have ended.
    case get(Adding)
    case wait([JobID])
    case act(String, Jobs, done: String)
    case change([JobID], [GivenSetting])
    case setURL(JobID, String)
    case move([JobID], QueuePlace)
    case limit(Limits)
    case queues
    case queue(String, isPaused: Bool)
  }

  /// The limits to set, as they were typed; a limit that is `nil` stays as it is. If all are `nil`, the limits are
  /// shown.
  struct Limits: Equatable {
    var rate: String?
    var jobs: String?
    var window: String?
  }

  var command: Command
  var secretFile: String?
  /// Whether only errors are printed.
  var isQuiet = false

  /// The actions, with the participles that reports use.
  private static let actions = [
    "pause": "paused", "resume": "resumed", "retry": "queued again", "remove": "removed", "rm": "removed",
  ]

  static let names = [
    "list", "show", "add", "get", "watch", "wait", "pause", "resume", "retry", "remove", "set", "set-url", "move",
    "limit",
    "queue list|pause|resume",
  ]

  /// Reads a command line without `--host`.
  /// - Parameter catalog: The options of all commands.
  /// - Throws: Kind `usage` for a command or an option that a service does not have.
  init(_ typed: [String], _ catalog: OptionCatalog) throws(Failure) {
    let (globals, taken) = try GlobalOptions.take(from: typed)
    if let option = globals.ofStore {
      throw OptionValue.bad(option, "a service has its job store: leave it out with --host")
    }
    var words = taken
    secretFile = try RemoteCommand.takeSecretFile(&words)
    guard let index = words.firstIndex(where: { !$0.hasPrefix("-") }) else { throw RemoteCommand.refusal("dray") }
    let name = words.remove(at: index)
    let known: [String]
    switch name {
    case "list": known = ["all", "json", "match", "queue", "state", "verbose"]
    case "show": known = ["json"]
    case "watch": known = []
    case "add", "get": known = RemoteOptions.settings
    case "wait", "set", "set-url", "queue": known = ["quiet"]
    case "move": known = ["after", "before", "first", "last", "quiet"]
    case "limit": known = ["jobs", "quiet", "window"]
    case _ where RemoteCommand.actions[name] != nil: known = ["all", "quiet"]
    default: throw RemoteCommand.refusal("dray \(name)")
    }
    let options = try RemoteOptions(name, words, taking: known, catalog)
    command = try RemoteCommand.command(name, options)
    isQuiet = options.has("quiet")
  }

  private static func command(_ name: String, _ options: RemoteOptions) throws(Failure) -> Command {
    let isJSON = options.has("json")
    switch name {
    case "list":
      try options.refuseOperands()
      let states = try StateWords.read(options.values["state"] ?? [])
      return .list(
        Filter(
          states: states?.map(\.rawValue).sorted() ?? [], queue: options.values["queue"]?.last,
          match: options.values["match"]?.last),
        isJSON: isJSON)
    case "show": return .show(try options.onlyID(), isJSON: isJSON)
    case "watch": return .watch(try JobIDs.parse(options.operands))
    case "add": return .add(try options.adding())
    case "get": return .get(try options.adding())
    case "wait":
      let ids = try JobIDs.parse(options.operands)
      guard !ids.isEmpty else { throw OptionValue.bad("dray wait", "name jobs by their ids") }
      return .wait(ids)
    case "set":
      let (texts, settings) = try SettingWords.parse(options.operands)
      let ids = try JobIDs.parse(texts)
      guard !ids.isEmpty, !settings.words.isEmpty else {
        throw OptionValue.bad("dray set", "write the ids of jobs, then KEY=VALUE")
      }
      return .change(ids, settings.given(for: .plain))
    case "set-url":
      guard options.operands.count == 2 else { throw OptionValue.bad("dray set-url", "write an id, then the URL") }
      let ids = try JobIDs.parse([options.operands[0]])
      return .setURL(ids[0], options.operands[1])
    case "move":
      let ids = try JobIDs.parse(options.operands)
      guard !ids.isEmpty else { throw OptionValue.bad("dray move", "name jobs by their ids") }
      return .move(
        ids,
        try QueuePlace(
          first: options.has("first"), last: options.has("last"),
          before: options.values["before"] ?? [], after: options.values["after"] ?? []))
    case "limit":
      guard options.operands.count < 2 else {
        throw OptionValue.bad("dray limit", "a service takes one rate, or off: --host [USER@]HOST takes a timetable")
      }
      return .limit(
        Limits(
          rate: options.operands.first, jobs: options.values["jobs"]?.last, window: options.values["window"]?.last))
    case "queue": return try queueCommand(options.operands)
    default:
      let ids = try JobIDs.parse(options.operands)
      let isAll = options.has("all")
      guard isAll == ids.isEmpty else {
        throw OptionValue.bad("dray \(name)", "name jobs by their ids, or write --all")
      }
      return .act(name == "rm" ? "remove" : name, isAll ? .all : .ids(ids), done: actions[name] ?? name)
    }
  }

  private static func queueCommand(_ words: [String]) throws(Failure) -> Command {
    switch (words.first ?? "list", words.count) {
    case ("list", ..<2): return .queues
    case ("pause", 2), ("resume", 2):
      if let objection = QueueName.objection(to: words[1]) { throw OptionValue.bad("dray queue", objection) }
      return .queue(words[1], isPaused: words[0] == "pause")
    default: throw OptionValue.bad("dray queue", "a service has list, pause NAME and resume NAME")
    }
  }

  /// Removes `--secret-file` from the words before `--`, wherever it stands.
  private static func takeSecretFile(_ words: inout [String]) throws(Failure) -> String? {
    let option = "--secret-file"
    let end = words.firstIndex(of: "--") ?? words.endIndex
    guard let index = words[..<end].lastIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else { return nil }
    let word = words.remove(at: index)
    let value =
      word == option
      ? (index < end - 1 ? words.remove(at: index) : "") : String(word.dropFirst(option.count + 1))
    guard !value.isEmpty else { throw OptionValue.bad(option, "no file is given: write \(option) FILE") }
    return value
  }

  private static func refusal(_ command: String) -> Failure {
    OptionValue.bad(
      TextSafety.escaped(command.start(60)),
      "a service does not do this for --host: use \(names.joined(separator: ", "))",
      advice: "--host [USER@]HOST runs any command there, over ssh")
  }
}
