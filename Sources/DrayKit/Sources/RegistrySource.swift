// What `oci:` and `ollama:` have in common.

internal import DrayCore
internal import DrayDocuments

/// A source whose files are in a registry of images.
protocol RegistrySource: NamedSource {
  var tokens: RegistryTokens { get }

  /// Reads a name.
  /// - Throws: Kind `usage` for a name that no image can have.
  func reference(_ name: SourceName) throws(Failure) -> ImageReference
}

extension RegistrySource {
  /// Returns the token or the password that the registry wanted, if this process has it.
  func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] { tokens.fields(for: url, places) }

  /// Compares registries and repositories.
  func isVersion(_ exact: SourceName, of name: SourceName) -> Bool {
    guard let exact = try? reference(exact), let name = try? reference(name) else { return false }
    return (exact.host, exact.path) == (name.host, name.path)
  }
}
