// The catalogs that a command line names by file or URL, and the names in these catalogs.

internal import DrayDocuments
internal import DrayKit

extension CatalogSource {
  /// Reads a catalog from a file, or loads it from a URL. The job store keeps a copy of a loaded catalog.
  /// - Throws: The failure to load the catalog; kind `usage` (for a file) or `protocol` (for a URL) if it is not a
  ///   catalog.
  static func load(
    _ text: String, _ template: RequestTemplate, _ surroundings: Surroundings
  ) async throws(Failure) -> CatalogSource {
    guard text.contains("://") else {
      let bytes: [UInt8]
      do throws(Failure) {
        bytes = try surroundings.contents(text, "--catalog")
      } catch {
        throw Failure(.usage, error.subject, "the catalog cannot be loaded: \(error.reason)", advice: error.advice)
      }
      return try CatalogSource(file: bytes, name: TextSafety.escaped(text))
    }
    var list = InputList()
    try list.append(text, place: "--catalog")
    guard let entry = list.entries.first else {
      throw OptionValue.bad("--catalog", "it is empty: name a URL or a file")
    }
    let request = template.request(for: entry, list.options(of: entry))
    let source = try await CatalogSource(fetching: request, copies: try Store.openIfPresent(), open: Store.open)
    if let (age, failure) = source.stale {
      Messages.print("\(failure.message); using a copy of the catalog that is \(Int(saturating: age)) s old")
    }
    return source
  }

  /// Finds the file that `NAME` or `NAME@VERSION` refers to.
  /// - Throws: Kind `usage` with the most similar name, or with the versions that exist.
  func find(_ reference: String) throws(Failure) -> Catalog.Found {
    do throws(Catalog.Miss) {
      return try catalog.find(reference)
    } catch {
      switch error {
      case .service(let wanted, let nearest):
        let names = catalog.services.map(\.name)
        throw Failure(
          .usage, name, "the catalog has no service \(OptionValue.quote(wanted))",
          advice: nearest.map { Advice("did you mean \(TextSafety.escaped($0))?") }
            ?? (names.isEmpty ? nil : CatalogSource.list("it has", names)))
      case .version(let wanted, let service, let versions):
        throw Failure(
          .usage, name,
          "\(OptionValue.quote(service)) has no version \(OptionValue.quote(wanted)): \(CatalogSource.list("it has", versions))"
        )
      }
    }
  }

  private static func list(_ words: String, _ names: [String]) -> Advice {
    "\(words) \(names.prefix(12).map { TextSafety.escaped($0) }.joined(separator: ", "))\(names.count > 12 ? ", …" : "")"
  }
}
