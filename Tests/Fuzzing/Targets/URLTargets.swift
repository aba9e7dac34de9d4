// URLs as people, servers and documents write them: one form, allowed schemes only, secrets never shown (P7, P15).

import Foundation

@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  private static let urlWords = [
    "http://", "https://", "ftp://", "file:///", "s3://", "sftp://", "data:", "//", "/", "?", "#", "@", ":", "[::1]",
    "[fe80::1%25eth0]", "a.example", "..", "/./", "%2e", "%0D%0A", "%00", ";type=a", "xn--", "ä", "。", "user:pw@", " ",
    ":80", ":65536", "\\", "℀", "ß", "İ",
  ]
  private static let urlSeeds = [
    "http://a.example/b?c=d#e", "https://user:pw@a.example:8443/x/../y", "ftp://a.example/f;type=i", "file:///tmp/a",
    "s3://bucket/key", "http://[::1]:80/", "//b.example/x", "../up?q", "http://münchen.example/ä b", "sftp://h/x",
  ]
  private static let bases = [
    "http://a.example/dir/file?q", "https://a.example:8443/", "ftp://a.example/dir/file", "ftps://a.example/x",
    "s3://bucket/key", "sftp://h/dir/x", "file:///tmp/x",
  ].compactMap { try? RequestURL.parse($0).url }

  private static func holdURL(_ url: RequestURL) throws(Violation) {
    try hold(url.string.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a URL is printable ASCII: \(url.string)")
    try hold(url.string.utf8.count <= RequestURL.longest, "a URL is bounded")
    try hold(Scheme(url) != nil, "a URL's scheme is served: \(url.string)")
    try hold(url.path.hasPrefix("/") && !url.string.contains("#"), "a path begins with /: \(url.string)")
    try hold(!url.path.utf8.split(separator: 0x2F).contains { $0.elementsEqual("..".utf8) }, "no dots: \(url.string)")
    try hold((1...65535).contains(url.port ?? 1), "a port is one: \(url.string)")
    let again: RequestURL.Parsed
    do throws(URLParseError) { again = try RequestURL.parse(url.string) } catch {
      throw Violation("\(url.string) is a URL still: \(error)")
    }
    try holdSame(again.url.string, url.string, "the normal form stays as it is")
    try hold(again.userInfo == nil, "no user is in a URL: \(url.string)")
    try hold(again.url.host == url.host && again.url.path == url.path && again.url.query == url.query, "parts stay")
    if let quick = RequestURL(normalized: url.string) {
      try hold(
        quick.host == url.host && quick.port == url.port && quick.path == url.path && quick.query == url.query,
        "both ways to read it agree: \(url.string)")
    }
  }

  static let requestURL = FuzzTarget("URLs", words: urlWords, seeds: urlSeeds, rounds: 1500) {
    (text: String) throws(Violation) in
    let parsed: RequestURL.Parsed
    do throws(URLParseError) { parsed = try RequestURL.parse(text) } catch {
      return try holdPrintable(error.message, "its error")
    }
    try holdURL(parsed.url)
    _ = (URLRedaction.redacted(parsed.url.string), FileName.fromURLPath(parsed.url.path))
    try holdName(FileName.fromURLPath(parsed.url.path))
    if parsed.url.scheme == "s3" { try holdURL(S3Address.location(of: parsed.url, AWSSignature())) }
    if let more = try? parsed.url.appending(queryName: text, value: text), parsed.url.scheme.hasPrefix("http") {
      try holdURL(more)
    }
  }

  static let resolution = FuzzTarget("Location", words: urlWords, seeds: urlSeeds, rounds: 1000) {
    (text: String) throws(Violation) in
    for base in bases {
      if case .url(let url) = RequestURL.resolve(location: text, against: base) {
        try holdURL(url)
        try hold(
          ["http", "https", base.scheme].contains(url.scheme), "no server leads to \(url.scheme) from \(base.scheme)")
      }
      if let url = DocumentURL.resolve(text, against: base) {
        try holdURL(url)
        try hold(["http", "https", "ftp", "ftps"].contains(url.scheme), "no document leads to \(url.scheme)")
      }
      guard base.scheme.hasPrefix("http") else { continue }
      switch RedirectPolicy.decide(from: base, status: 302, location: [text], hop: 0) {
      case .follow(let url):
        try hold(url.scheme == "https" || url.scheme == base.scheme || base.scheme == "http", "no downgrade (P15)")
        try hold(["http", "https"].contains(url.scheme), "a redirect never leaves http(s): \(url.string)")
      case .refuse(let reason): try holdPrintable(reason, "a refusal")
      }
    }
  }

  static let percentEncoding = FuzzTarget(
    "percent-encoding", words: ["%", "%41", "%zz", "+"], seeds: ["a%20b%", "ä"].map { Array($0.utf8) }
  ) {
    (bytes: [UInt8]) throws(Violation) in
    let strict = PercentEncoding.strictlyEncoded(bytes)
    try hold(PercentEncoding.decoded(strict[...]) == bytes, "decodes what it encodes")
    let once = PercentEncoding.encoded(bytes[...], allowed: PercentEncoding.path)
    try hold(PercentEncoding.encoded(once[...], allowed: PercentEncoding.path) == once, "encodes once only")
    try hold(once.allSatisfy { PercentEncoding.path.contains($0) || $0 == 0x25 }, "all is encoded")
    try hold(PercentEncoding.decoded(once[...]) == PercentEncoding.decoded(bytes[...]), "and means the same")
  }

  static let hostName = FuzzTarget(
    "host names", words: ["ä", "ß", "。", "．", "xn--", ".", "-", "ﬀ", "a\u{301}", "中", "%C3%A4", "İ", "[", "::1", "]"],
    seeds: ["münchen.example", "faß.de", "例え.jp", "[2001:db8::1]", "127.0.0.1"]
  ) { (text: String) throws(Violation) in
    guard let host = try? HostName.normalized(Array(text.utf8)[...]) else { return }
    try hold(host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a host is ASCII: \(Array(host.utf8))")
    try hold(!host.contains { "/?#@\\ ".contains($0) }, "nothing in a host ends it: \(host)")
    try holdSame(try? HostName.normalized(Array(host.utf8)[...]), host, "a normal host stays as it is")
  }

  static let redaction = FuzzTarget(
    "redaction", words: ["&", "=", "?", "#", ";", "@", "/", ":", "%", "token", "x=1", "http://", "sig="],
    seeds: ["a=b&c=d", "x", "user", "/p/q?r=s"], rounds: 300
  ) { (text: String) throws(Violation) in
    let secret = "zqSECRETqz"
    func look(_ url: String) throws(Violation) {
      try hold(!URLRedaction.redacted(url).contains(secret), "a secret is hidden: \(url)")
    }
    for name in ["token", "X-Amz-Signature", "%74oken", "access_token", "PASSWORD", "api-key"] {
      try look("https://h.example/p?\(text)&\(name)=\(secret)")
      try look("https://h.example/p?\(name)=\(secret)&\(text)")
      try look("https://h.example/\(text)?\(name)=\(secret)")
      try look("https://h.example/p#\(text)&\(name)=\(secret)")
      try look("/p?\(text)&\(name)=\(secret)")
    }
    let user = String(String.UnicodeScalarView(text.unicodeScalars.filter { !"/?#".unicodeScalars.contains($0) }))
    try look("https://\(user):\(secret)@h.example/\(text)")
    try look("https://\(secret)@h.example/\(text)")
    let plain = String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7F && !"\"<>`".unicodeScalars.contains($0) }))
    let line = "see \(text) https://h.example/?\(plain)&token=\(secret) and \(text)"
    try hold(!URLRedaction.redactingURLs(in: line).contains(secret), "a secret in a line is hidden: \(line)")
    _ = URLRedaction.redactingURLs(in: text)
  }
}
