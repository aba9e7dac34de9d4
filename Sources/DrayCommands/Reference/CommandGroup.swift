// The commands grouped by purpose, as `dray --help` and dray(1) show them.

struct CommandGroup: Sendable {
  let title: String
  /// The names of the commands, in the order in which they are shown.
  let names: [String]

  /// All groups. A command that is in no group is added to the last group.
  static let all = [
    CommandGroup(title: "Fetch", names: ["get", "add", "run", "feed", "sync", "catalog", "curl", "serve"]),
    CommandGroup(title: "See", names: ["list", "show", "watch", "wait", "path", "open", "runners", "info", "verify"]),
    CommandGroup(
      title: "Change",
      names: ["pause", "resume", "retry", "remove", "move", "limit", "queue", "set", "edit", "set-url", "clean"]),
    CommandGroup(
      title: "Keep", names: ["cookies", "config", "export", "import", "doctor", "browser"]),
  ]

  /// Descriptions that are short enough for a line of `dray --help`.
  private static let words = [
    "get": "fetch URLs now", "add": "queue URLs for `run`", "run": "transfer the queue",
    "feed": "queue the files of feeds", "sync": "fetch what manifests list", "catalog": "look into a catalog",
    "list": "the jobs and their states", "show": "everything about a job", "watch": "bars of what runs anywhere",
    "wait": "until jobs have ended", "path": "where files are", "open": "open a file",
    "runners": "who transfers the jobs",
    "info": "what servers say of a URL", "pause": "stop until resumed", "resume": "continue with the bytes",
    "retry": "start over", "remove": "forget jobs", "move": "change their order", "limit": "change rates now",
    "queue": "queues with their limits",
    "set-url": "replace an expired link", "verify": "are files unchanged?", "clean": "forget finished jobs",
    "serve": "run with a page and an API",
    "curl": "take a curl command line", "set": "change settings of jobs", "edit": "the same, in an editor",
    "export": "jobs as lines of JSON", "import": "jobs from elsewhere", "cookies": "list, add, remove",
    "browser": "take browsers' downloads",
    "config": "show, check, edit it", "doctor": "why downloads fail here",
  ]

  static func words(_ command: CommandReference) -> String {
    if let known = words[command.commandName] { return known }
    var abstract = (command.abstract ?? "").lowercasedFirst
    while abstract.hasSuffix(".") { abstract.removeLast() }
    return abstract
  }

  /// Returns the commands of a program by group; groups without commands are left out.
  static func divide(_ commands: [CommandReference]) -> [(title: String, commands: [CommandReference])] {
    let known = Set(all.flatMap(\.names))
    var divided = all.map { group in
      (title: group.title, commands: group.names.compactMap { name in commands.first { $0.commandName == name } })
    }
    divided[divided.count - 1].commands += commands.filter { !known.contains($0.commandName) }
    return divided.filter { !$0.commands.isEmpty }
  }
}
