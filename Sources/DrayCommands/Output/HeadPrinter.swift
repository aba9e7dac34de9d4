// `dray get -I`: prints only the header fields of an answer.

internal import DrayKit
internal import DrayWire

enum HeadPrinter {
  /// Requests the header fields of each URL, and prints them.
  /// - Throws: The first failure.
  static func run(_ list: SpecificationList) async throws(Failure) -> ExitStatus {
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
