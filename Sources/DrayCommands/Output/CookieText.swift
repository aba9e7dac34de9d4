// Cookies as a table and as JSON; the values are included only on request.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

enum CookieText {
  private static let columns = [
    TextTable.Column("DOMAIN", minimum: 8, cut: .middle), TextTable.Column("PATH", minimum: 4, cut: .end),
    TextTable.Column("NAME", minimum: 8, cut: .end), TextTable.Column("VALUE", minimum: 5, cut: .end),
    TextTable.Column("EXPIRES"), TextTable.Column("FLAGS", isOptional: true),
  ]

  static func write(table cookies: [Cookie], reveals: Bool, to output: ResultOutput) {
    guard !cookies.isEmpty else { return }
    let rows = cookies.map { cookie -> [TextTable.Cell] in
      let flags = [cookie.isSecure ? "secure" : nil, cookie.isHTTPOnly ? "http-only" : nil].compactMap(\.self)
      return [
        (cookie.includesSubdomains ? "." : "") + cookie.domain, cookie.path, cookie.name,
        reveals ? cookie.value : "…", cookie.expires.map { TimeStamp.text(Double($0)) } ?? "session",
        flags.joined(separator: ","),
      ].map { TextTable.Cell(TextSafety.escaped($0)) }
    }
    let isTTY = TerminalDevice.isTTY(1)
    let profile = TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all)
    TextTable(columns, width: isTTY && !reveals ? TerminalDevice.size(1).columns : nil, profile: profile).write(rows) {
      output.write($0)
    }
  }

  static func write(json cookies: [Cookie], reveals: Bool, to output: ResultOutput) {
    var json = JSONText()
    json.beginArray()
    for cookie in cookies {
      json.object { json in
        json.field("domain", cookie.domain)
        json.field("includesSubdomains", cookie.includesSubdomains)
        json.field("path", cookie.path)
        json.field("name", cookie.name)
        json.field("value", reveals ? cookie.value : nil)
        json.field("secure", cookie.isSecure)
        json.field("httpOnly", cookie.isHTTPOnly)
        json.field("expires", cookie.expires)
      }
    }
    json.endArray()
    output.write(json)
    output.write("\n")
  }
}
