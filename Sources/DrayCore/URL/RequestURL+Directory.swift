// URLs of directories and their entries.

extension RequestURL {
  /// Returns the URL of an entry of this directory.
  /// - Parameters:
  ///   - name: The unencoded name on the server. The name need not be valid text.
  ///   - isDirectory: Whether the entry is a directory; if so, its path ends with a slash.
  /// - Returns: `nil` for a name that no entry can have: empty, `.`, `..`, or with a slash or a control character.
  public func child(_ name: some Collection<UInt8>, isDirectory: Bool = false) -> RequestURL? {
    let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
    guard path.hasSuffix("/"), query == nil, !name.isEmpty, !name.elementsEqual([dot]),
      !name.elementsEqual([dot, dot]),
      !name.contains(where: { $0 == slash || $0.isControl })
    else { return nil }
    let encoded = PercentEncoding.strictlyEncoded(Array(name)) + (isDirectory ? [slash] : [])
    return try? RequestURL.fit(origin, path: Array(path.utf8) + encoded, query: nil)
  }

  /// This URL with a slash at the end of its path.
  public var asDirectory: RequestURL {
    guard !path.hasSuffix("/") else { return self }
    return RequestURL(scheme: scheme, host: host, port: port, path: Array((path + "/").utf8), query: nil)
  }
}
