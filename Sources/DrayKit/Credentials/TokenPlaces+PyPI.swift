// The index of Python's packages, which may be named with a password.

package import DrayCore
internal import FoundationEssentials

/// An index of Python's packages.
package struct PackageIndex: Sendable, Equatable {
  /// Ends with a slash.
  package var url: RequestURL
  /// The header fields for requests to its origin.
  package var headers: [HeaderField]
}

extension TokenPlaces {
  /// The index that the environment names for pip or uv; `nil` if it names none.
  /// - Throws: Kind `usage` for a value that is not an http URL.
  package func packageIndex() throws(Failure) -> PackageIndex? {
    for name in ["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"] {
      guard let text = variable(name) else { continue }
      // uv also takes NAME=URL.
      let isNamed = text.prefix { $0 != "=" }.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
      let address = isNamed && text.contains("=") ? text.drop { $0 != "=" }.dropFirst() : text[...]
      guard let parsed = try? RequestURL.parse(directory: String(address)), parsed.url.scheme.hasPrefix("http") else {
        throw Failure(.usage, name, "it is not the http URL of an index", advice: "unset it or correct it")
      }
      let headers = parsed.userInfo.map { user in
        let pair = "\(user.user):\(user.password ?? "")"
        return [HeaderField("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())")]
      }
      return PackageIndex(url: parsed.url, headers: headers ?? [])
    }
    return nil
  }
}
