// Actions as words, so that a table shows them.

@testable import DrayKit

extension AttemptStateMachine.Action {
  /// The action in the words of the tables.
  var words: String {
    switch self {
    case .wait: "wait"
    case .plan: "plan"
    case .findPublished: "find published"
    case .transfer: "transfer"
    case .receive: "receive"
    case .check: "check"
    case .stage: "stage"
    case .publish: "publish"
    case .lookAgain: "look again"
    case .record: "record"
    case .prove: "prove"
    case .finishWithoutFile: "finish without file"
    case .finishUpToDate(_, let compared): compared == nil ? "up to date" : "up to date, compared"
    case .abandonPart(let next): "abandon part, " + next.words
    case .recordRetry: "record retry"
    case .seekRemedy(let file, let isResumed):
      "seek remedy" + (file == nil ? "" : ", pieces") + (isResumed ? ", afresh" : "")
    case .pollCommands: "poll"
    case .judgeShare: "judge share"
    case .end(let end, _): "end " + "\(end)".name
    case .endLost: "end lost"
    case .withdrawCommand: "withdraw command"
    case .leave(let kind, _): "leave " + "\(kind)".name
    case .leaveFailing: "leave failing"
    }
  }
}

extension String {
  /// The name of an enumeration's case.
  fileprivate var name: String { String(prefix { $0 != "(" }) }
}
