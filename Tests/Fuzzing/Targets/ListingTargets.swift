// Listings of directories, and the places of their entries.

import Foundation

@testable import DrayCommands
@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  /// The URL of a listing's directory.
  private static func directory(_ text: String) throws(Violation) -> RequestURL {
    guard let url = try? RequestURL.parse(directory: text).url else { throw Violation("\(text) is a directory") }
    return url
  }

  /// Invariants of a listing: every entry is below the directory and unique, and its place here is below the target
  /// directory or missing.
  private static func holdListing(_ listing: Listing, _ base: RequestURL, _ input: [UInt8]) throws(Violation) {
    try hold(Set(listing.entries.map(\.url)).count == listing.entries.count, "nothing is listed twice")
    try hold(listing.others >= 0 && listing.unusable >= 0, "counts are none below 0")
    for entry in listing.entries {
      try hold(entry.url.isBelow(base), "\(entry.url.string) is not below \(base.string)")
      try hold(entry.facts.size ?? 0 >= 0, "a size is none below 0")
      try holdPlace(TreePath.place(of: entry.url, below: base))
    }
    try hold(
      (listing.mark(of: base) != nil) == listing.entries.contains(where: \.isDirectory), "a directory has a mark")
    let sum = listing.entries.reduce(0) { $0 + $1.url.string.utf8.count + $1.row.utf8.count }
    try hold(sum <= 64 * input.count + 10_000, "\(input.count) bytes make \(sum)")
  }

  private static func holdPlace(_ place: TreePath.Place) throws(Violation) {
    switch place {
    case .outside: break
    case .unusable(let reason): try holdPrintable(reason, "a reason")
    case .below(let path):
      try hold(path.names.count == path.components.count && !path.names.isEmpty, "each part has a name")
      for name in path.names { try holdName(name) }
      try hold(path.path.utf8.count <= 3100, "a path has a length")
    }
  }

  private static func holdRefusal(_ error: DocumentError) throws(Violation) {
    let failure = error.failure("x")
    try holdPrintable(failure.message, "an error")
    try hold(failure.message.utf8.count < 20_000, "an error is short")
  }

  private static func holdParsed(
    _ bytes: [UInt8], _ base: RequestURL, _ parse: ([UInt8], RequestURL) throws(DocumentError) -> Listing
  ) throws(Violation) {
    let listing: Listing
    do throws(DocumentError) { listing = try parse(bytes, base) } catch { return try holdRefusal(error) }
    try holdListing(listing, base, bytes)
  }

  static let indexPages = FuzzTarget(
    "index pages",
    words: [
      "<a href=\"", "<A HREF='", "\">", "</a>", "<!--", "-->", "<script>", "</script>", "<style>", "</style>",
      "<base href=\"",
      "<title>Index of /", "</title>", "&amp;", "&#x2F;", "&#47;", "../", "./", "%2e%2e/", "?C=N;O=D", "//x.example/",
      "http://",
      "<td>", "</table>", "<pre>", "=", "'", "\"", "<", ">",
    ],
    seeds: [
      "<title>Index of /d/</title><pre><a href=\"../\">../</a>\n<a href=\"a%20b\">a b</a> 14-Nov-2023 22:13 5\n</pre>",
      "<table><tr><td><a href=\"?C=N\">Name</a></td></tr><tr><td><a href=\"./x/\">x</a></td><td>- </td></tr></table>",
    ].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    let base = try directory("http://a.example/d/")
    try holdParsed(bytes, base) { (bytes, base) throws(DocumentError) in
      try IndexPage.parse(bytes, type: MediaType("text/html"), of: base)
    }
  }

  static let jsonIndexes = FuzzTarget(
    "index pages of JSON",
    words: [
      "{", "}", "[", "]", ",", ":", "\"name\"", "\"..\"", "\"type\"", "\"file\"", "\"directory\"", "\"is_dir\"", "true",
      "\"size\"", "-1", "\"a/b\"",
    ],
    seeds: [
      "[{\"name\":\"a\",\"type\":\"file\",\"mtime\":\"Tue, 14 Nov 2023 22:13:20 GMT\",\"size\":18},{\"name\":\"b\",\"type\":\"directory\"}]",
      "[{\"name\":\"e/\",\"size\":4096,\"url\":\"./e/\",\"mod_time\":\"2023-11-14T22:13:20Z\",\"is_dir\":true}]",
    ].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    let base = try directory("http://a.example/d/")
    try holdParsed(bytes, base) { (bytes, base) throws(DocumentError) in
      try IndexPage.parse(bytes, type: MediaType("application/json"), of: base)
    }
  }

  static let fileListings = FuzzTarget(
    "listings of FTP",
    words: [
      "-rw-r--r-- ", "drwxr-xr-x ", "lrwxrwxrwx ", "Nov 14 ", "2023 ", "22:13 ", "total 4", "<DIR> ", "11-14-23 ",
      "10:13PM ",
      "type=file;", "type=dir;", "size=", "modify=20231114221320;", "; ", "..", " -> ", "\r\n", "18 ",
    ],
    seeds: [
      "total 8\r\n-rw-r--r--    1 0        0              18 Nov 14  2023 a b\r\ndrwxr-xr-x 2 ann users 4096 Nov 14 22:13 c\r\n",
      "11-14-23  10:13PM       <DIR>          d\r\n11-14-23  10:13PM                   20 e f\r\n",
      "type=file;size=18;modify=20231114221320; a\r\ntype=dir; b\r\n",
    ].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    let base = try directory("ftp://a.example/d/")
    try holdParsed(bytes, base) { (bytes, base) throws(DocumentError) in try FTPListing.lines(bytes, of: base) }
    try holdParsed(bytes, base) { (bytes, base) throws(DocumentError) in try FTPListing.machine(bytes, of: base) }
  }

  private static let davWords = [
    "<D:multistatus xmlns:D=\"DAV:\">", "<D:response>", "</D:response>", "<D:href>", "/d/", "../", "</D:href>",
    "<D:propstat><D:prop>",
    "<D:resourcetype><D:collection/></D:resourcetype>", "<D:getcontentlength>", "<D:getetag>", "HTTP/1.1 200 OK",
    "<D:status>", "&amp;",
  ]

  static let webDAVListings = FuzzTarget(
    "listings of WebDAV", words: davWords,
    seeds: [
      """
      <D:multistatus xmlns:D="DAV:"><D:response><D:href>/d/a</D:href><D:propstat><D:prop><D:getcontentlength>5</D:getcontentlength>\
      <D:getetag>"x"</D:getetag><D:resourcetype/></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\
      <D:response><D:href>/d/e/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop></D:propstat>\
      </D:response></D:multistatus>
      """
    ].map { Array($0.utf8) }, rounds: 250
  ) { (bytes: [UInt8]) throws(Violation) in
    let base = try directory("http://a.example/d/")
    try holdParsed(bytes, base) { (bytes, base) throws(DocumentError) in
      try WebDAVListing.parse(bytes, of: base)
    }
  }

  static let objectListings = FuzzTarget(
    "listings of S3",
    words: [
      "<Contents>", "</Contents>", "<Key>", "</Key>", "pub/", "../", "%2F", "+", "<IsTruncated>true</IsTruncated>",
      "<NextContinuationToken>",
    ],
    seeds: [
      """
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><Contents>\
      <Key>pub/a+b</Key><Size>5</Size><ETag>"x"</ETag><LastModified>2026-11-24T04:12:44.000Z</LastModified></Contents>\
      <IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>
      """
    ].map { Array($0.utf8) }, rounds: 250
  ) { (bytes: [UInt8]) throws(Violation) in
    let base = try directory("s3://files/pub/")
    try holdParsed(bytes, base) { (bytes, base) throws(DocumentError) in
      try S3Listing.parse(bytes, of: base)
    }
  }

  static let pathPatterns = FuzzTarget(
    "patterns for paths", words: ["*", "?", "**", "/", "a", "**/", "\n"],
    seeds: ["*.iso\na.iso", "a/**/b\na/x/b", "/a/\na/b"]
  ) { (text: String) throws(Violation) in
    let parts = text.split(separator: "\n", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    let pattern: PathPattern
    do throws(QuantityParseError) { pattern = try PathPattern(parts[0]) } catch {
      return try holdPrintable(error.message, "an error")
    }
    let path = parts[1].split(separator: "/").map(String.init)
    guard !path.isEmpty, pattern.matches(path) else { return }
    // A match is below all its parents, and so are its own children.
    for count in 0..<path.count {
      try hold(pattern.mayMatchBelow(Array(path.prefix(count))), "\(parts[0]) may match below the start of \(path)")
    }
    try hold(pattern.matches(path + ["x"]), "\(parts[0]) is for what is below \(path)")
  }

  static let treePaths = FuzzTarget(
    "paths below a directory",
    words: ["%2F", "%2e%2e", "/", "//", "..", "%00", "%FF", "%5C", "?", "#", "\u{202E}", "CON"],
    seeds: ["a/b", "%2e%2e/x", "a//b", ".x/-y/~z"]
  ) { (text: String) throws(Violation) in
    let base = try directory("http://a.example/d/")
    guard let url = try? RequestURL.parse("http://a.example/d/" + text).url else { return }
    let place = TreePath.place(of: url, below: base)
    try holdPlace(place)
    if case .below(let path) = place {
      // The request must not lead out of the directory, however a server decodes it.
      try hold(!path.components.contains { $0 == ".." || $0 == "." }, "no part leads upwards: \(url.string)")
    }
  }
}
