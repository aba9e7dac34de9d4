// `dray info`: what was found out about a URL, as text.

internal import DrayKit

enum ProbeText {
  static func text(_ report: ProbeReport, isVerbose: Bool) -> String {
    let answer = ResponseText(response: report.response, facts: report.facts, isVerbose: isVerbose)
    var page = Sections()
    page.section("URL")
    answer.addWay(to: &page)
    page.section("File")
    answer.addFile(to: &page)
    page.section("Response")
    answer.addHead(to: &page)
    return page.finished()
  }
}
