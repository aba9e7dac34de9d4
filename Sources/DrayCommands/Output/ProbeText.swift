// `dray info`: what a look at a URL found, as text and as JSON.

internal import DrayKit
internal import TerminalUI

enum ProbeText {
  static func text(_ report: ProbeReport) -> String {
    var page = Sections()
    page.section("URL")
    for step in report.redirects { page.add("\(step.status)", "\(step.from) → \(step.to)") }
    page.add("final", report.finalURL.description)
    page.add("server", report.address.isEmpty ? nil : report.address)
    page.section("File")
    page.add("name", report.name)
    page.add("size", report.size.map { "\($0) bytes (\(ByteText.size($0)))" } ?? "unknown")
    page.add("type", report.mediaType)
    page.add("charset", report.charset)
    page.add("ETag", report.validators.etag)
    page.add("Last-Modified", report.validators.lastModified)
    page.add("resumable", "\(report.isResumable ? "yes" : "no"): \(report.resumableReason)")
    page.section("Response")
    page.add("status", SafeHead.statusLine(report.head))
    for field in report.head.fields.map(SafeHead.response) { page.add("field", "\(field.name): \(field.value)") }
    return page.finished()
  }

  static func json(_ report: ProbeReport, url: RequestURL) -> JSONText {
    var json = JSONText()
    json.object { json in
      json.field("url", url.description)
      json.field("finalURL", report.finalURL.description)
      json.field("status", report.head.isHTTP ? report.head.status : nil)
      json.field("name", report.name)
      json.field("size", report.size)
      json.field("mediaType", report.mediaType)
      json.field("charset", report.charset)
      json.field("resumable", report.isResumable)
      json.field("resumableReason", report.resumableReason)
      json.field("validators", validators: report.validators)
      json.array("redirects", report.redirects) { json, step in
        json.object { json in
          json.field("status", step.status)
          json.field("from", step.from.description)
          json.field("to", step.to.description)
        }
      }
      json.field("fields", head: report.head)
    }
    json.endLine()
    return json
  }
}
