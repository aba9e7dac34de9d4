// Formulates the advice of failures with the names of commands and options.

internal import DrayKit

extension Failure {
  /// The failure as one line for users of the command: subject, reason, and advice.
  var message: String { message(.commandLine) }
}

extension Advice {
  static func line(_ reason: String, _ advice: Advice?) -> String {
    reason + (advice.map { "; " + $0.text(.commandLine) } ?? "")
  }
}

extension Advice.Names {
  /// Commands are in backquotes, and settings are named by their options.
  static let commandLine = Advice.Names(
    action: { action, argument in "`" + action.command(argument) + "`" }, setting: { $0.option + $0.value })
}

extension Advice.Action {
  fileprivate func command(_ argument: String?) -> String {
    let job = argument ?? "ID"
    return switch self {
    case .run: "dray run"
    case .get: "dray get"
    case .getToStandardOutput: "dray get -o -"
    case .list: "dray list"
    case .show: "dray show \(job)"
    case .info: "dray info"
    case .wait: "dray wait \(job)"
    case .sync: "dray sync"
    case .version: "dray --version"
    case .pause: "dray pause \(job)"
    case .resume: "dray resume \(job)"
    case .retry: "dray retry \(job)"
    case .remove: argument.map { "dray remove \($0)" } ?? "dray remove"
    case .setURL: "dray set-url \(job) NEW-URL"
    case .setOutput: "dray set \(job) out=NAME"
    case .clean: "dray clean \(argument ?? "DIR")"
    case .cleanStore: "DRAY_HOME=\(argument ?? "DIR") dray clean"
    }
  }
}

extension Advice.Parameter {
  /// The value to type after the option, with a blank before it; empty if the advice only names the option.
  fileprivate var value: String {
    switch self {
    case .user, .proxyUser: " NAME"
    case .bearer: " TOKEN"
    default: ""
    }
  }

  /// The option, or the environment variable, that sets the parameter.
  var option: String {
    switch self {
    case .adopt: "--adopt FILE"
    case .allowPages: "--allow-type text/html"
    case .verifyNone: "--verify none"
    case .verifyOffered: "--verify offered"
    case .verifyAuto: "--verify auto"
    case .resumeAlways: "--resume always"
    case .resumeNever: "--resume never"
    case .cookieFile: "-b"
    case .insecure: "-k"
    case .oneConnection: "-x 1"
    case .stateDirectory: "DRAY_HOME"
    // Some parameters have an option although they are not settings of a job.
    default: "--" + (Setting.ofProperty(rawValue)?.name ?? rawValue)
    }
  }
}
