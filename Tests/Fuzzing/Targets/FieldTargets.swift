// Fields of answers that are numbers, ranges and dates.

@testable import DrayCore

extension FuzzTarget {
  static let contentRange = FuzzTarget(
    "Content-Range", words: ["bytes ", "BYTES ", "-", "/", "*", "0", "9", "9223372036854775806"],
    seeds: ["bytes 0-499/1234", "bytes 500-999/*", "bytes */47022"]
  ) { (text: String) throws(Violation) in
    let range: ContentRange?
    do throws(ContentRangeError) { range = try ContentRange.parse([text]) } catch {
      return try holdPrintable(error.message, "its error")
    }
    switch range {
    case .range(let lower, let upper, let total):
      try hold(0 <= lower && lower < upper && upper <= total ?? .max, "ends in order: \(lower) \(upper)")
      let again = "bytes \(lower)-\(upper - 1)/\(total.map { "\($0)" } ?? "*")"
      try hold((try? ContentRange.parse([again])) == range, "reads what it writes: \(again)")
    case .unsatisfied(let total):
      try hold(total >= 0 && (try? ContentRange.parse(["bytes */\(total)"])) == range, "reads what it writes")
    case nil: throw Violation("one value is a field")
    }
    try hold((try? ContentRange.parse([text, text])) == nil, "a field that comes twice is none")
  }

  static let contentLength = FuzzTarget(
    "Content-Length", words: [",", " ", "0", "42", "+", "9223372036854775807"], seeds: ["42", "42, 42", "42\n42"]
  ) { (text: String) throws(Violation) in
    let values = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let length: Int64?
    do throws(ContentLengthError) { length = try ContentLength.parse(values) } catch {
      return try holdPrintable(error.message, "its error")
    }
    guard let length else { return }
    for item in values.flatMap({ $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }) {
      let digits = String(decoding: item, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
      try hold(!digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }, "only digits are a length")
      try hold(Int64(digits) == length && length >= 0, "all values are \(length)")
    }
  }

  static let httpDate = FuzzTarget(
    "dates of HTTP", words: ["Sun, ", "GMT", "UTC", "Nov", "06", "1994", "94", "08:49:37", "-", " ", "29 Feb 2100"],
    seeds: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
  ) { (text: String) throws(Violation) in
    guard let time = HTTPDate.parse(text, now: 1_767_225_600) else { return }
    try hold((-62_167_219_200...253_402_300_800).contains(time), "a date is of four digits: \(time)")
    guard time < 253_402_300_800 else { return }
    try hold(HTTPDate.parse(HTTPDate.format(time)) == time, "reads what it writes: \(HTTPDate.format(time))")
  }

  static let retryAfter = FuzzTarget(
    "Retry-After", words: ["0", "120", "Sun, ", " GMT", "1994"],
    seeds: ["120", "Fri, 31 Dec 1999 23:59:59 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"]
  ) { (text: String) throws(Violation) in
    for now in [0, 1_767_225_600, -62_000_000_000, 4_000_000_000, 253_402_300_799] as [Int64] {
      guard let delay = RetryAfter.delay(text, now: now) else { continue }
      try hold((0...RetryAfter.longest).contains(delay), "a wait is of this side of a year: \(delay)")
    }
    let head = ResponseHead(status: 200, fields: [HeaderField("Last-Modified", text)])
    if let time = ArrivalTime.lastModified(head, now: 1_000_000_000) {
      try hold((1...1_000_000_000).contains(time), "a file is of no time to come: \(time)")
    }
  }

  static let netrc = FuzzTarget(
    ".netrc",
    words: [
      "machine ", "default ", "login ", "password ", "account ", "macdef ", "h", "ann", "\n", "\n\n", "\"", "\\", "#",
      "\r",
    ],
    seeds: [
      "machine h login ann password \"a b\"\ndefault login x password y\n", "macdef m\ncd /\n\nmachine h password p",
    ]
  ) { (text: String) throws(Violation) in
    let netrc = Netrc(text.utf8)
    for host in ["h", "other"] {
      let own = netrc.entries.filter { $0.host == nil || $0.host == host }
      if let found = netrc.credentials(for: host) {
        try hold(own.contains { $0.login == found.user }, "a user is one of the host's")
      }
      guard let found = netrc.credentials(for: host, user: "ann") else { continue }
      try hold(found.user == "ann", "a user that is given stays")
      try hold(
        own.contains { $0.login ?? "ann" == "ann" && $0.password == found.password }, "a password is that of the user")
    }
  }

  static let ftpReplies = FuzzTarget(
    "FTP replies", words: ["220-", "220 ", "213 ", "350 ", "\r\n", "550 no", "213 1994"],
    seeds: ["220-hello\r\n220 there\r\n213 19941106084937\r\n213 1234\r\n350 go\r\n550 gone\r\n"].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    var replies = FTPReplies()
    var length = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      length += line.count
      try hold(replies.take(line) == (length <= FTPReplies.byteLimit), "replies are bounded")
    }
    for reply in [replies.last, replies.refusal].compactMap(\.self) {
      try hold((100..<600).contains(reply.code), "a code has three digits: \(reply.code)")
      try hold(reply.text.utf8.count <= 1000, "a reported reply is short: \(reply.text.utf8.count)")
    }
    for known in [true, false] { try hold(replies.size(timeIsKnown: known) ?? 0 >= 0, "a size is none below 0") }
  }

  static let statusRule = FuzzTarget(
    "status and its fields", words: ["206", "200", "416", "HTTP/1.1 ", "bytes"], seeds: ["200", "404", "429"]
  ) { (text: String) throws(Violation) in
    let status = Int(text) ?? 0
    guard (100..<600).contains(status) else { return }
    let head = ResponseHead(
      status: status, fields: ["Retry-After", "WWW-Authenticate", "Proxy-Authenticate"].map { HeaderField($0, text) })
    let failure = StatusRule.failure(head, subject: "x", now: 0)
    try hold(failure.retryAfter ?? 0 >= 0, "no wait is less than none")
  }

  static let challenge = FuzzTarget(
    "WWW-Authenticate", words: ["Basic", "Digest ", "realm=", "\"", ", ", "=", "\\", "NTLM", "Bearer"],
    seeds: [
      "Basic realm=\"a, b\", charset=\"UTF-8\"", "Digest realm=\"x\\\"y\", nonce=\"1\", Basic realm=\"z\"",
      "Negotiate, NTLM",
    ]
  ) { (text: String) throws(Violation) in
    let schemes = AuthenticationChallenge.schemes([text, text])
    try hold(Set(schemes.map { $0.lowercased() }).count == schemes.count, "each scheme once: \(schemes)")
    let words = AuthenticationChallenge.need(schemes)
    try holdPrintable(words, "what is shown of schemes")
    try hold(words.utf8.count < 6000, "what is shown of schemes is short: \(words.utf8.count)")
    try holdPrintable(AuthenticationChallenge.advice(schemes).description, "advice")
    try holdPrintable(AuthenticationChallenge.proxyAdvice(schemes).description, "advice")
  }

  static let altSvc = FuzzTarget(
    "Alt-Svc", words: ["h3=", "\":443\"", "; ma=", ",", "clear", "persist=1", "h2", "\""],
    seeds: ["h3=\":443\"; ma=2592000,h3-29=\":443\"", "clear", "h2=\"alt.example:8000\"; persist=1"]
  ) { (text: String) throws(Violation) in
    guard let offer = AltSvc.parse(text, host: "h", port: 443) else { return }
    try hold(offer.maxAge >= 0, "an age is none below 0")
    var list = AltSvcList()
    let entry = list.learn(offer, of: "https://h", now: 1)
    try hold((entry != nil) == (offer.maxAge > 0), "an offer is known, and none is not")
  }

  static let hsts = FuzzTarget(
    "Strict-Transport-Security", words: ["max-age=", "includeSubDomains", ";", "\"", "0", "preload"],
    seeds: ["max-age=31536000; includeSubDomains", "max-age=\"0\"", "max-age=1 ; preload"]
  ) { (text: String) throws(Violation) in
    guard let policy = HSTSPolicy.parse(text) else { return }
    try hold(policy.maxAge >= 0, "an age is none below 0")
    var list = HSTSList()
    let entry = list.learn(policy, host: "a.example", now: 1000)
    try hold((entry != nil) == (policy.maxAge > 0), "what is asked for is learnt")
    try hold(list.holds(for: "a.example", now: 1000) == (policy.maxAge > 0), "what was learnt holds")
    try hold(
      list.holds(for: "b.a.example", now: 1000) == (policy.maxAge > 0 && policy.includesSubdomains), "below it, too")
    try hold(!list.holds(for: "a.example", now: 1001 + HSTSList.longest), "nothing is remembered for ever")
  }

  static let mediaType = FuzzTarget(
    "Content-Type", words: ["text/html", ";", "charset=", "\"", "utf-8", " "],
    seeds: ["text/html; charset=\"utf-8\"", "application/octet-stream", "multipart/byteranges; boundary=x"]
  ) { (text: String) throws(Violation) in
    let type = MediaType(text)
    try hold(MediaType(type.essence).essence == type.essence, "what it comes to stays so: \(type.essence)")
    try hold(type.charset != "", "no charset is empty")
    let head = ResponseHead(status: 200, fields: [HeaderField("Content-Type", text), HeaderField("Refresh", text)])
    for type in [ExpectedType(text), nil] {
      let check = ContentCheck(names: [text, "a.zip"], asked: [text, "a.zip"], expected: type, head: head)
      _ = (check.refusal, check.verdict(Array(text.utf8)), check.lookLength)
    }
  }

  static let refresh = FuzzTarget(
    "Refresh", words: ["0", ";", ",", "url=", "URL", "'", "\"", ".", " "],
    seeds: ["5; url=http://a.example/x.zip", "0;URL='/x'", "3.5,x", "12"]
  ) { (text: String) throws(Violation) in
    guard let field = RefreshField(text) else { return }
    try hold(field.delay >= 0 && field.target != "", "a delay of none below 0, no empty target")
    guard let base = try? RequestURL.parse("https://a.example/p").url else { return }
    let head = ResponseHead(
      status: 200, fields: [HeaderField("Content-Type", "text/html"), HeaderField("Refresh", text)])
    if let target = RefreshField.target(of: head, from: base) {
      try hold((0...Double(RefreshField.longestDelay)).contains(target.delay), "a wait is short: \(target.delay)")
    }
  }

  static let link = FuzzTarget(
    "Link", words: ["<", ">", ";", ",", "rel=", "duplicate", "\"", "\\", "pri=1", "pref", "type=", "anchor="],
    seeds: [
      "<http://m.example/a>; rel=duplicate; pri=1; geo=de, <b>; rel=\"describedby x\"; type=\"application/metalink4+xml\"",
      "<a>; rel=duplicate; pref", "<>;rel",
    ]
  ) { (text: String) throws(Violation) in
    let links = WebLink.parse([text])
    try hold(links.count <= WebLink.limit, "links are bounded")
    try hold(links.duplicates.count == links.count(where: \.isDuplicate), "each mirror once")
    func quoted(_ text: String) -> String {
      "\"" + String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }) + "\""
    }
    for link in links {
      let parameters = link.parameters.map { "; \($0.name)=\(quoted($0.value))" }.joined()
      let written = "<\(link.target)>; rel=\(quoted(link.relations.joined(separator: " ")))" + parameters
      try hold(WebLink.parse([written]) == [link], "reads what it writes: \(written)")
    }
  }
}
