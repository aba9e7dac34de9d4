// What the URLs of schemes other than http and https may look like.

extension RequestURL {
  /// Makes the URL of a file of this machine (RFC 8089): `file:///path` or `file://localhost/path`.
  static func file(
    _ authority: ArraySlice<UInt8>, path: [UInt8], query: ArraySlice<UInt8>?
  ) throws(URLParseError) -> Parsed {
    let host = String(decoding: authority, as: UTF8.self).lowercased()
    guard host.isEmpty || host == "localhost" else {
      throw URLParseError("a file URL names a file of this machine: write file:///PATH")
    }
    let (whole, _) = try fitting(path, query, .file)
    return Parsed(url: try fit(Origin(scheme: "file", host: "", port: 0), path: whole, query: nil), userInfo: nil)
  }

  /// Checks path and query of any scheme, and joins them where a `?` is a character of the file's name.
  static func fitting(
    _ path: [UInt8], _ query: ArraySlice<UInt8>?, _ scheme: Scheme
  ) throws(URLParseError) -> ([UInt8], ArraySlice<UInt8>?) {
    guard scheme != .http, scheme != .https else { return (path, query) }
    // Without a path, what is behind the `?` must not become part of the host.
    var whole = joined(path.isEmpty ? [UInt8(ascii: "/")] : path, query)
    if scheme == .ftp || scheme == .ftps { try removeType(&whole) }
    // Where dots lead to is what is checked.
    whole = URLReference.removingDots(whole)
    try check(whole, of: scheme)
    return (whole, nil)
  }

  /// Checks the bucket of an `s3` URL by Amazon's rules; compatible services follow them too.
  static func checkBucket(_ host: ArraySlice<UInt8>) throws(URLParseError) {
    let isName = host.allSatisfy { $0.isLetter && $0 == $0.lowercased || $0.isDigit || ".-_".utf8.contains($0) }
    guard (3...63).contains(host.count), isName, host.first != UInt8(ascii: "."), !host.contains("..".utf8) else {
      throw URLParseError("this is not the name of a bucket: write s3://BUCKET/KEY, with 3 to 63 of a-z, 0-9, - and .")
    }
  }

  private static func joined(_ path: [UInt8], _ query: ArraySlice<UInt8>?) -> [UInt8] {
    query.map { path + Array("%3F".utf8) + $0 } ?? path
  }

  /// `;type=i` is what dray asks for anyway; the other types would change the bytes or bring a list (RFC 1738 §3.2.2).
  private static func removeType(_ path: inout [UInt8]) throws(URLParseError) {
    while true {
      let ending = path.suffix(7).map(\.lowercased)
      guard ending.starts(with: ";type=".utf8), let type = ending.last, ending.count == 7 else { return }
      guard type == UInt8(ascii: "i") else {
        throw URLParseError(
          "it asks for ;type=\(TextSafety.escaped(utf8: [type])): dray fetches files as they are, ;type=i")
      }
      path.removeLast(7)
    }
  }

  /// Refuses paths that would be misread: a command of FTP, the end of a C string, no file at all.
  private static func check(_ path: [UInt8], of scheme: Scheme) throws(URLParseError) {
    let decoded = PercentEncoding.decoded(path[...])
    let isFTP = scheme == .ftp || scheme == .ftps
    guard !decoded.contains(where: { isFTP ? $0.isControl : $0 == 0 }) else {
      throw URLParseError(
        "its path contains an encoded control character, which \(scheme.rawValue) URLs cannot have")
    }
    guard let last = decoded.last, last != UInt8(ascii: "/") else {
      throw URLParseError("it names a directory: write the path of a file after \(scheme.rawValue)://")
    }
  }
}

extension RequestURL {
  /// The path of a `file` URL as the file system knows it: bytes, which need not be text.
  public var filePath: [UInt8] { PercentEncoding.decoded(Array(path.utf8)[...]) }
}
