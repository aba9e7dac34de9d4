// Directories: what is directly in one, by the names that a listing has.

extension RequestURL {
  /// The URL of what has this name in the directory of this URL.
  /// - Parameters:
  ///   - name: the name as the server has it: bytes, which need not be text, and nothing of them is encoded.
  ///   - isDirectory: whether it is a directory itself, so that its path ends with a slash.
  /// - Returns: `nil` for what is not the name of one thing: empty, `.`, `..`, with a slash or a control character in it.
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

  /// Whether this is below `directory`: of the same origin, without a query, its path longer than that of the directory.
  public func isBelow(_ directory: RequestURL) -> Bool {
    query == nil && directory.path.hasSuffix("/") && origin == directory.origin && path.hasPrefix(directory.path)
      && path.utf8.count > directory.path.utf8.count
  }
}
