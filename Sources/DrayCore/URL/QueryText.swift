// Adds parameters to the query of a URL.

extension RequestURL {
  /// Returns this URL with a parameter added. All bytes of name and value except unreserved ones (RFC 3986 §2.3) are
  /// percent-encoded, so that `&`, `=`, `+`, `%` and `#` keep their literal meaning.
  /// - Parameters:
  ///   - name: The unencoded name.
  ///   - value: The unencoded value; `nil` adds only the name, without `=`.
  /// - Throws: ``URLParseError`` if the URL becomes too long.
  public func appending(queryName name: String, value: String?) throws(URLParseError) -> RequestURL {
    let pair = [name, value].compactMap { $0.map { PercentEncoding.strictlyEncoded(Array($0.utf8)) } }
    return try appending(encodedQuery: Array(pair.joined(separator: [UInt8(ascii: "=")])))
  }

  /// Returns this URL with a file name added, if its path ends with a slash and it has no query, as curl does for `-T`.
  /// A URL with a query already names its target.
  /// - Throws: ``URLParseError`` if the URL becomes too long.
  public func appending(fileName: String) throws(URLParseError) -> RequestURL {
    guard path.hasSuffix("/"), query ?? "" == "" else { return self }
    let name = PercentEncoding.strictlyEncoded(Array(fileName.utf8))
    return try RequestURL.fit(origin, path: Array(path.utf8) + name, query: query.map { Array($0.utf8)[...] })
  }

  /// Returns this URL with an encoded text, such as a form, added to its query. Bytes that a query must not contain are
  /// encoded.
  /// - Throws: ``URLParseError`` if the URL becomes too long.
  public func appending(encodedQuery more: [UInt8]) throws(URLParseError) -> RequestURL {
    guard !more.isEmpty else { return self }
    let old = Array((query ?? "").utf8)
    let joint: [UInt8] = old.isEmpty || old.last == UInt8(ascii: "&") ? [] : [UInt8(ascii: "&")]
    return try RequestURL.fit(origin, path: Array(path.utf8), query: (old + joint + more)[...])
  }
}
