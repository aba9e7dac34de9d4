// Finds the files of a manifest's names, in the versions that the lock pins.

public import DrayDocuments

extension SyncSet {
  /// Returns a manifest with the files of its names.
  ///
  /// A name in the lock is asked for in the version that the lock has, unless ``SyncMode/update`` asks for the present
  /// one.
  /// - Throws: The failure of a source; kind `integrity` for a name that is not in a lock that everything must match.
  public static func resolve(
    _ manifest: Manifest, _ lock: SyncLock?, _ mode: SyncMode, _ sources: NamedSources, _ client: any SourceClient
  ) async throws(Failure) -> Manifest {
    var found = manifest
    for wanted in manifest.names {
      let pin = mode == .update ? nil : lock?.pins.first { $0.isOf(wanted.text) }
      let shown = SourceReference.shown(wanted.text)
      guard pin != nil || mode != .locked else {
        throw Failure(
          .integrity, shown, "it is in the manifest, but not in the lock",
          advice: "\(.sync) without --locked adds it")
      }
      guard let name = sources.name(in: pin?.asked(for: wanted.text) ?? wanted.text) else {
        throw Failure(.usage, shown, "no source has such names", advice: "`dray help sources` lists them")
      }
      let answer = try await sources.find(name, client)
      if let old = pin?.revision, let new = answer.revision, old != new {
        throw Failure(
          .integrity, shown, "its source now has revision \(new), but the lock has \(old)",
          advice: "`dray sync --update` takes the present version")
      }
      do throws(DocumentError) { found = try found.adding(answer, of: wanted) } catch {
        throw Failure(.usage, shown, error.reason)
      }
    }
    return found
  }
}
