// `dray get -I`: the header fields of an answer as they came, nothing else.

internal import DrayKit
internal import DrayWire

enum HeadPrinter {
  /// Asks for the head at each URL and prints it.
  /// - Throws: kind `usage` before anything is asked; otherwise what went wrong first.
  static func run(_ command: Get, _ surroundings: Surroundings) async throws -> ExitStatus {
    let plan = try RequestPlan(command.body, surroundings, readsListFromInput: command.job.inputFile == "-")
    guard plan.source == nil, plan.method == nil else {
      throw OptionValue.bad("--head", "a body or another method leaves nothing to look at: choose")
    }
    guard command.job.output == nil else {
      throw OptionValue.bad("--head", "there is no file to name: header fields go to standard output")
    }
    let list = try SpecificationList(command.job, command.request, surroundings, plan)
    var statuses: Set<ExitStatus> = []
    for specification in list {
      let report = try await DownloadManager.probe(specification.request)
      ResultOutput.standard.write(text(report.response.head))
      if let failure = failure(report) {
        Messages.print(failure.message)
        statuses.insert(failure.exitStatus)
      }
    }
    return ExitStatus.combined(statuses)
  }

  private static func text(_ head: ResponseHead) -> String {
    var lines = [SafeHead.statusLine(head)]
    lines += head.fields.map(SafeHead.response).map { "\($0.name): \($0.value)" }
    return lines.map { TextSafety.escaped($0) + "\n" }.joined() + "\n"
  }

  private static func failure(_ report: ProbeReport) -> Failure? {
    let status = report.response.head.status
    guard !(200...299).contains(status) else { return nil }
    return Failure(
      status == 401 || status == 407 ? .authentication : .status, report.response.finalURL.description,
      "the server answered \(SafeHead.statusLine(report.response.head))", httpStatus: status)
  }
}
