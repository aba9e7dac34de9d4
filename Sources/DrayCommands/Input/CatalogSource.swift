// A catalog, from a file or a server, with words of its own for each way to fail.

internal import DrayDocuments
internal import DrayKit
internal import DrayStore

struct CatalogSource {
  /// What to call it: a path, or a URL without secrets.
  let name: String
  /// Its URL; `nil` for a file.
  let home: RequestURL?
  /// What is in it.
  let catalog: Catalog

  /// Reads a file, or loads a URL through the copy in the job store.
  /// - Throws: what it cannot be loaded for; kind `usage` (a file) or `protocol` (a URL) for what is not a catalog.
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
      let name = TextSafety.escaped(text)
      return CatalogSource(name: name, home: nil, catalog: try parse(bytes, nil, name, .usage))
    }
    var list = InputList()
    try list.append(text, place: "--catalog")
    guard let entry = list.entries.first else {
      throw OptionValue.bad("--catalog", "it is empty: name a URL or a file")
    }
    let request = template.request(for: entry, list.options(of: entry))
    let name = request.url.description
    let manager = try Store.openIfPresent()
    let loaded: LoadedDocument
    do throws(Failure) {
      loaded = try await DownloadManager.load(
        request, accept: "application/json, */*;q=0.5", copies: manager, mayBeStale: true)
    } catch {
      var failure = error
      failure.reason = "the catalog cannot be loaded: \(error.reason)"
      throw failure
    }
    if case .copy(let age, let failure) = loaded.source {
      Messages.print("\(failure.message); using a copy of the catalog that is \(Int(saturating: age)) s old")
    }
    let document = loaded.document
    let catalog = try parse(document.content, document.finalURL, name, .protocolViolation)
    if case .copy = loaded.source {
    } else {
      let manager = if let manager { manager } else { try Store.open() }
      try await manager.jobs.keep(document)
    }
    return CatalogSource(name: name, home: request.url, catalog: catalog)
  }

  private static func parse(
    _ bytes: [UInt8], _ base: RequestURL?, _ name: String, _ kind: Failure.Kind
  ) throws(Failure) -> Catalog {
    do throws(DocumentError) { return try Catalog.parse(bytes, base: base) } catch { throw error.failure(name, kind) }
  }

  /// Looks up `NAME` or `NAME@VERSION`.
  /// - Throws: kind `usage`, with the nearest name or the versions that there are.
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
