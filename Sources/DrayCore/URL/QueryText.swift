// Parameters that are added to the query of a URL.

extension RequestURL {
  /// This URL with a parameter more: each byte of name and value that RFC 3986 §2.3 does not call unreserved is
  /// percent-encoded, so that `&`, `=`, `+`, `%` and `#` stay what they are.
  /// - Parameters:
  ///   - name: the name, not encoded.
  ///   - value: the value, not encoded; `nil` adds the name alone, without `=`.
  /// - Throws: ``URLParseError`` for a URL that gets too long.
  public func appending(queryName name: String, value: String?) throws(URLParseError) -> RequestURL {
    let pair = [name, value].compactMap { $0.map { PercentEncoding.strictlyEncoded(Array($0.utf8)) } }
    return try appending(encodedQuery: Array(pair.joined(separator: [UInt8(ascii: "=")])))
  }

  /// This URL with the name of a file after its path, where that ends with a slash and no query follows: as curl does for
  /// `-T`. A URL with a query names its target already.
  /// - Throws: ``URLParseError`` for a URL that gets too long.
  public func appending(fileName: String) throws(URLParseError) -> RequestURL {
    guard path.hasSuffix("/"), query ?? "" == "" else { return self }
    let name = PercentEncoding.strictlyEncoded(Array(fileName.utf8))
    return try RequestURL.fit(origin, path: Array(path.utf8) + name, query: query.map { Array($0.utf8)[...] })
  }

  /// This URL with more of a query, which is encoded already, as a form is. What could not stand in a query is encoded.
  /// - Throws: ``URLParseError`` for a URL that gets too long.
  public func appending(encodedQuery more: [UInt8]) throws(URLParseError) -> RequestURL {
    guard !more.isEmpty else { return self }
    let old = Array((query ?? "").utf8)
    let joint: [UInt8] = old.isEmpty || old.last == UInt8(ascii: "&") ? [] : [UInt8(ascii: "&")]
    return try RequestURL.fit(origin, path: Array(path.utf8), query: (old + joint + more)[...])
  }
}

extension PercentEncoding {
  /// The bytes with all that is not unreserved encoded, a `%` too.
  static func strictlyEncoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if unreserved.contains(byte) {
        result.append(byte)
      } else {
        let (high, low) = hexDigits(byte, uppercase: true)
        result += [UInt8(ascii: "%"), high, low]
      }
    }
    return result
  }
}
