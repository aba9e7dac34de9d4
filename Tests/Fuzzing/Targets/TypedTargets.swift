// Typed values and users' files: quantities, times, digests, patterns, cookies, commands.

import Foundation

@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  static let digest = FuzzTarget(
    "digests", words: ["sha-256", "md5", "=", ":", "0123456789abcdef", "==", "-", "_", "AAAA"],
    seeds: [
      "md5=d41d8cd98f00b204e9800998ecf8427e", "sha-1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
      "sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ]
  ) { (text: String) throws(Violation) in
    let digest: DigestValue
    do throws(DigestParseError) { digest = try DigestValue.parse(text) } catch {
      return try holdPrintable(error.message, "its error")
    }
    try hold(digest.bytes.count == digest.algorithm.byteCount, "a digest has its length")
    for form in [digest.description, "\(digest.algorithm.rawValue):\(digest.base64)"] {
      try hold((try? DigestValue.parse(form)) == digest, "reads what it writes: \(form)")
    }
  }

  static let quantity = FuzzTarget(
    "sizes and spans", words: ["1.5", "k", "MiB", "ms", "h", ".", "e", "0x", "inf", "nan", "99999999999999999999"],
    seeds: ["1.5M", "2GiB", "500ms", "30", "9e9T"]
  ) { (text: String) throws(Violation) in
    do {
      let bytes = try ByteCount.parse(text)
      try hold(bytes >= 0, "a size is none below 0: \(bytes)")
      _ = ByteCount.text(bytes)
    } catch let error as QuantityParseError { try holdPrintable(error.message, "its error") } catch {
      throw Violation("\(error)")
    }
    guard let seconds = try? TimeSpan.parse(text) else { return }
    try hold(seconds.isFinite && (0..<1e9).contains(seconds), "a span is bounded: \(seconds)")
    _ = TimeSpan.text(seconds)
  }

  static let rateRule = FuzzTarget(
    "timetables", words: ["08:00,", "512k", "off", "Mon-", "Sun-", " ", ",", ":", "23:59:59"],
    seeds: ["08:00,512k 19:00,10M 23:00,off", "Mon-08:00,1k Sun-20:00,off", "2M"]
  ) { (text: String) throws(Violation) in
    let zone = LocalZone { $0 > 1_770_000_000 ? 7200 : 3600 }
    guard let rule = try? RateRule.parse(text) else { return }
    for moment in [1_767_225_600.5, 1_769_990_000, 0, 4_000_000_000, -1] {
      try hold(rule.rate(at: moment, zone: zone) ?? 1 > 0, "no rate is 0")
      guard let next = rule.nextChange(after: moment, zone: zone) else { continue }
      try hold(next.moment > moment && next.rate ?? 1 > 0, "what changes, changes later: \(next)")
      try hold(next.moment - moment < 9 * 86_400, "within a week: \(next.moment - moment)")
      try hold(rule.rate(at: next.moment, zone: zone) == next.rate, "and to what was told: \(next)")
    }
  }

  static let window = FuzzTarget(
    "windows", words: ["01:00-07:00", "22:00-", "-06:00", "Mon", "Sat,Sun", "Fri-Mon", " ", ",", "-", "24:00", ":59"],
    seeds: ["01:00-07:00", "Mon-Fri 22:00-06:00 Sat,Sun", "00:00-24:00"]
  ) { (text: String) throws(Violation) in
    let zone = LocalZone { $0 > 1_770_000_000 ? 7200 : 3600 }
    let window: TransferWindow
    do throws(QuantityParseError) { window = try TransferWindow.parse(text) } catch {
      return try holdPrintable(error.message, "its error")
    }
    try hold((try? TransferWindow.parse(window.description)) == window, "reads what it writes: \(window)")
    for moment in [1_767_225_600.5, 1_769_990_000, 0, 4_000_000_000, -1] {
      let isOpen = window.isOpen(at: moment, zone: zone)
      guard let next = window.nextChange(after: moment, zone: zone) else { continue }
      try hold(next > moment && next - moment < 15 * 86_400, "it changes later, and within two weeks: \(next)")
      try hold(window.isOpen(at: next, zone: zone) != isOpen, "it changes then: \(next)")
    }
  }

  static let startTime = FuzzTarget(
    "times to begin at", words: ["2026-11-22", "T", "Z", "23:00", "+", "2h", "-", ":", "2026-02-29"],
    seeds: ["23:00", "2026-11-22T01:00Z", "+2h", "2027-01-01", "08:00:30"]
  ) { (text: String) throws(Violation) in
    let zone = LocalZone { $0 > 1_770_000_000 ? 7200 : -3600 }
    let now = 1_769_900_000.25
    do {
      let start = try DateText.parseStart(text, now: now, zone: zone)
      try hold(start >= now, "a start is to come: \(start)")
    } catch let error as QuantityParseError { try holdPrintable(error.message, "its error") } catch {
      throw Violation("\(error)")
    }
    if let past = try? DateText.parsePast(text, now: now, zone: zone) { try hold(past.isFinite, "a moment is one") }
  }

  static let versions = FuzzTarget(
    "versions", words: ["1.0", "v", "-", ".", "+", "rc", "0", "10", "_", "a", "99999999999999999999"],
    seeds: ["1.0\n1.0-rc1\n1.0!", "2024a\n2024b\nlatest", "v1.2.3\n1.2.3+x\n1.2"], rounds: 1500
  ) { (text: String) throws(Violation) in
    let texts = text.split(separator: "\n").prefix(4).map(String.init)
    for one in texts {
      try hold(!VersionOrder.isLower(one, one), "nothing is lower than itself")
      for other in texts where one != other {
        try hold(VersionOrder.isLower(one, other) != VersionOrder.isLower(other, one), "one is lower: \(one), \(other)")
        for third in texts where VersionOrder.isLower(one, other) && VersionOrder.isLower(other, third) {
          try hold(VersionOrder.isLower(one, third), "an order has no circle: \(one) < \(other) < \(third)")
        }
      }
    }
  }

  static let urlPatterns = FuzzTarget(
    "patterns of URLs",
    words: ["[", "]", "{", "}", ",", "-", ":", "\\", "#1", "#", "[1-9]", "{a,b}", "[::1]", "[01-30:2]", "99999"],
    seeds: ["http://h/{a,b}/[01-30].mp4", "http://[::1]:8080/[a-z:3]{x}", "http://h/\\{a\\,b\\}"]
  ) { (text: String) throws(Violation) in
    let glob: URLGlob
    do throws(URLGlobError) { glob = try URLGlob(text) } catch { return try holdPrintable(error.message, "its error") }
    try hold((1...URLGlob.most).contains(glob.count), "as many as are allowed: \(glob.count)")
    for index in Set([0, glob.count / 2, glob.count - 1]) {
      _ = glob.url(index)
      if !glob.names(text) { try holdSame(glob.name(text, index), text, "a name without patterns stays") }
    }
    try holdSame(URLGlob(verbatim: text).url(0), text, "text that is taken as it is")
    if glob.count == 1, !text.utf8.contains(where: { "[]{}\\".utf8.contains($0) }) {
      try holdSame(glob.url(0), text, "text without brackets")
    }
  }

  static let patterns = FuzzTarget(
    "patterns", words: ["*", "?", "*.", "a.example", "https://", ":443", "[::1]", "xn--"],
    seeds: ["*.a.example:8443", "https://*", "*x?y*", "[::1]:80"], isBounded: true
  ) { (text: String) throws(Violation) in
    let pattern = Wildcard(search: String(text.prefix(12)))
    func glob(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "*" { return glob(pattern.dropFirst(), text) || !text.isEmpty && glob(pattern, text.dropFirst()) }
      guard let next = text.first, first == "?" || first == next else { return false }
      return glob(pattern.dropFirst(), text.dropFirst())
    }
    let own = String(text.prefix(12))
    let whole = own.contains("*") || own.contains("?") ? own : "*\(own)*"
    for subject in [own, "xay", "axxayz", ""] {
      let wanted = glob(Array(whole.lowercased().unicodeScalars)[...], Array(subject.lowercased().unicodeScalars)[...])
      try hold(pattern.matches(subject) == wanted, "\(own) and \(subject): \(wanted)")
    }
    do {
      let host = try HostPattern.parse(text)
      for origin in [
        Origin(scheme: "https", host: "a.example", port: 443), Origin(scheme: "http", host: "x", port: 80),
      ] {
        _ = host.matches(origin)
      }
      try hold(!host.isMoreSpecific(than: host), "no pattern comes before itself")
    } catch let error as HostPatternError { try holdPrintable(error.message, "its error") } catch {
      throw Violation("\(error)")
    }
  }

  static let commandWords = FuzzTarget(
    "commands", words: ["'", "\"", "\\", " ", "~/", "$", "#", "\n"], seeds: ["prog 'a b' \"c\\\"d\" e\\ f", "~/x #"]
  ) { (text: String) throws(Violation) in
    _ = try? CommandWords.split(text, home: "/home/x")
    guard !text.isEmpty, !text.unicodeScalars.contains("\0") else { return }
    let quoted = "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    let words = try? CommandWords.split("p \(quoted)")
    try hold(words?.count == 2, "a quoted word is one: \(quoted)")
    try holdSame(words?.last, text, "a quoted word is what was quoted")
  }

  static let cookies = FuzzTarget(
    "cookies", words: ["\t", "TRUE", "FALSE", "#HttpOnly_", ".a.example", "/", "0", "1e5", "\n", "\u{2028}", "\u{85}"],
    seeds: [
      "#HttpOnly_.a.example\tTRUE\t/\tTRUE\t1893456000\tname\tvalue\nb.example\tFALSE\t/x\tFALSE\t0\tn\t\n",
      "# comment\n\na.example\tFALSE\t/\tFALSE\t1.5e9\tn\tv",
    ]
  ) { (text: String) throws(Violation) in
    let list = CookieList(text: text)
    try hold(list.cookies.allSatisfy { !$0.domain.isEmpty && $0.expires ?? 1 > 0 }, "a cookie has its parts")
    let again = CookieList(text: list.text)
    try hold(again == list, "reads what it writes: \(list.text)")
    try hold(Set(list.cookies.map(\.key)).count == list.cookies.count, "each cookie once")
    // A value that may be sent may be kept.
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let cookie = Cookie(domain: "a.example", path: "/", name: parts[0], value: parts.last ?? "")
    if cookie.isWellFormed {
      try hold(CookieList(text: CookieList([cookie]).text).cookies == [cookie], "kept: \(cookie.line)")
    }
    for host in ["a.example", "x.a.example", parts[0]] { _ = list.cookies.map { $0.isOfSite(of: host) } }
  }

  static let profiles = FuzzTarget(
    "profiles", words: ["[", "]", "=", "\n", "profile ", "Path=", "Default=1", "#", " "],
    seeds: [
      "[Profile0]\nName=a\nPath=x/y\nDefault=1\n[Install1]\nDefault=z\n",
      "[default]\naws_access_key_id = A\n s =\n  x = 1\n",
    ]
  ) { (text: String) throws(Violation) in
    let firefox = FirefoxProfiles(text)
    _ = (firefox.names, firefox.path(of: nil) { _ in true }, firefox.path(of: "a") { _ in false })
    let lines = text.split(separator: "\n").map(String.init)
    if let record = CertificateRecord(lines: lines + ["Subject:\(text)", "X509v3 Subject Alternative Name:\(text)"]) {
      try hold(record.names.count <= 100, "names are bounded")
    }
    do throws(DocumentError) { _ = try AWSProfiles(text)["default"] } catch {
      try hold(error.line ?? 1 <= 1 + text.count, "a line of the text")
    }
  }
}
