// Where the official client of Hugging Face keeps its token and its cache.

package import DrayCore
package import DrayDocuments

extension TokenPlaces {
  /// The hub: `HF_ENDPOINT`, or the public one.
  /// - Throws: Kind `usage` for a value that is not an http or https URL.
  package func huggingFaceHub() throws(Failure) -> HubAddress {
    let text = variable("HF_ENDPOINT") ?? HubAddress.publicText
    guard let url = try? RequestURL.parse(text), url.userInfo == nil, Scheme(url.url)?.speaksHTTP ?? false else {
      throw Failure(
        .usage, "HF_ENDPOINT", "\(TextSafety.escaped(URLRedaction.redacted(text))) is not the URL of a hub",
        advice: "write it like \(HubAddress.publicText)")
    }
    return HubAddress(url.url)
  }

  /// The header field with the token for a request; `nil` if there is no token, or if the URL is not the hub's. The
  /// servers to which the hub redirects never get it.
  package func huggingFaceField(for url: RequestURL) -> HeaderField? {
    guard let hub = try? huggingFaceHub(), hub.endpoint.origin == url.origin, let token = huggingFaceToken else {
      return nil
    }
    return HeaderField("Authorization", "Bearer \(token)")
  }

  /// The token: from `HF_TOKEN`, else from the file that `hf auth login` writes.
  var huggingFaceToken: String? {
    if variable("HF_HUB_DISABLE_IMPLICIT_TOKEN").map(TokenPlaces.isTrue) ?? false { return nil }
    if let token = variable("HF_TOKEN") ?? variable("HUGGING_FACE_HUB_TOKEN") { return TokenText.usable(token) }
    let file = variable("HF_TOKEN_PATH").flatMap(path) ?? huggingFaceHome.map { PathText.join($0, "token") }
    return file.flatMap(read).flatMap(TokenText.usable)
  }

  /// The cache directory: `HF_HUB_CACHE`, else `hub` in the directory of the official client.
  package var huggingFaceCache: String? {
    (variable("HF_HUB_CACHE") ?? variable("HUGGINGFACE_HUB_CACHE")).flatMap(path)
      ?? huggingFaceHome.map { PathText.join($0, "hub") }
  }

  /// The directory of the official client: `HF_HOME`, else `huggingface` in the user's cache directory.
  private var huggingFaceHome: String? {
    if let home = variable("HF_HOME").flatMap(path) { return home }
    let caches = variable("XDG_CACHE_HOME").flatMap(path) ?? home.map { PathText.join($0, ".cache") }
    return caches.map { PathText.join($0, "huggingface") }
  }

  /// Returns an absolute path with `~` and variables replaced, as the official client does; `nil` if it is relative.
  private func path(_ text: String) -> String? {
    var result = ""
    var rest = PathText.homed(text, home: home)[...]
    while let mark = rest.firstIndex(of: "$") {
      result += rest[..<mark]
      rest = rest[rest.index(after: mark)...]
      let isBraced = rest.first == "{"
      let name = (isBraced ? rest.dropFirst() : rest).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      let end = isBraced ? rest[name.endIndex...].first == "}" : true
      guard !name.isEmpty, end, let value = environment[String(name)] else {
        result += "$"
        continue
      }
      result += value
      rest = rest[name.endIndex...].dropFirst(isBraced ? 1 : 0)
    }
    result += rest
    return result.hasPrefix("/") ? result : nil
  }

  private static func isTrue(_ text: String) -> Bool { ["1", "ON", "YES", "TRUE"].contains(text.uppercased()) }
}
