// `dray info`: what was found out about a URL, as text.

internal import DrayKit

enum ProbeText {
  /// - Parameter columns: The number of columns in the window; `nil` leaves lines whole.
  static func text(_ report: ProbeReport, isVerbose: Bool, columns: Int?) -> String {
    let answer = ResponseText(response: report.response, facts: report.facts, isVerbose: isVerbose)
    var page = Sections(columns: columns)
    page.section("URL")
    answer.addWay(to: &page)
    page.section("File")
    answer.addFile(to: &page)
    page.section("Response")
    answer.addHead(to: &page)
    return page.finished()
  }
}
