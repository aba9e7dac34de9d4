// The names that other programs use for dray's commands.

enum CommandMeaning {
  private static let all: [String: String] = [
    "ls": "list", "ps": "list", "status": "list", "jobs": "list", "history": "list --all",
    "del": "remove", "delete": "remove", "cancel": "remove", "kill": "remove", "purge": "clean",
    "start": "run", "daemon": "serve", "stop": "pause", "suspend": "pause", "unpause": "resume",
    "continue": "resume",
    "restart": "retry", "redo": "retry", "download": "get", "fetch": "get", "dl": "get", "wget": "get", "aria2c": "get",
    "enqueue": "add",
    "log": "show", "cat": "show", "follow": "watch", "top": "watch", "attach": "watch", "check": "verify",
    "head": "info", "probe": "info", "switch": "move", "reorder": "move", "man": "help",
  ]

  /// Returns the command of dray that another program calls `name`.
  static func of(_ name: String) -> String? { all[name] }
}
