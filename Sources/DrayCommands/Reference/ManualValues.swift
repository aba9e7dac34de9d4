// The values that the texts of the manual take from the definitions in the program (`@{NAME}`).

internal import DrayKit

enum ManualValues {
  static var all: [String: String] {
    [
      "connections": "\(JobOptions.defaultConnections)",
      "connections-most": "\(JobOptions.connectionRange.upperBound)",
      "habits": Habit.all.map(\.entry).joined(separator: "\n\n"),
      "host-keys": enumerated(HostSettings.keys.map { "`\($0)`" }),
      "patterns": "\(URLGlob.most)",
      "per-host": "\(RunArguments.usualPerHost)",
      "rule-keys": enumerated((["dir"] + JobRule.settings.map(\.name)).map { "`\($0)`" }),
      "settings": names(of: Setting.typed),
      "settings-exported": names(of: Setting.all.filter { !$0.isTyped }),
      "settings-not-in-lists": names(of: Setting.all.filter { !$0.isForLists }),
      "streams": "\(JobGrowth.streams)",
      "tree-depth": "\(TreeLimits().depth)",
      "tree-files": "\(TreeLimits().files)",
      "tree-listings": "\(TreeLimits().listings)",
    ]
  }

  private static func names(of settings: [Setting]) -> String {
    settings.map { "`\($0.name)`" }.joined(separator: ", ")
  }

  private static func enumerated(_ names: [String]) -> String {
    "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
  }
}

extension Habit {
  /// The option as an entry of a list, in the notation of Mdoc.body.
  fileprivate var entry: String { "= " + names.map { "`\($0)`" }.joined(separator: ", ") + "\n" + sentence }

  /// A sentence about what the option means in dray.
  var sentence: String {
    switch meaning {
    case .usual, .decided: note.hasPrefix("--") ? "The same as `\(note)`." : note.sentence
    case .words: "The same as `\(note)`."
    case .refused(let advice): "Refused: \(advice)."
    }
  }
}
