// Finds the files of a manifest's names, in the versions that the lock pins.

package import DrayDocuments
internal import Threads

extension SyncSet {
  /// Returns a manifest with the files of its names.
  ///
  /// A name in the lock is asked for in the version that the lock has, unless `SyncMode.update` asks for the present
  /// one.
  /// - Throws: The failure of a source; kind `usage` for a name that may not be asked for, and for a lock that has another
  ///   name; kind `integrity` for a name that is not in a lock that everything must match.
  package static func resolve(
    _ manifest: Manifest, _ lock: SyncLock?, _ mode: SyncMode, _ questions: inout NameQuestions
  ) async throws(Failure) -> Manifest {
    let sources = questions.sources
    var found = manifest
    var caches: [Manifest.Cache] = []
    for wanted in manifest.names {
      let pin = mode == .update ? nil : lock?.pins.first { $0.isOf(wanted.text) }
      let shown = SourceReference.shown(wanted.text)
      guard pin != nil || mode != .locked else {
        throw Failure(
          .integrity, shown, "it is in the manifest, but not in the lock",
          advice: "\(.sync) without --locked adds it")
      }
      guard let name = sources.name(in: wanted.text) else {
        throw Failure(.usage, shown, "no source has such names", advice: "`dray help sources` lists them")
      }
      let exact = try pin.map { (pin) throws(Failure) in try SyncSet.exact(pin, of: name, sources) } ?? name
      var answer = try await questions.find(exact, SourceChoices(platform: wanted.platform))
      if let old = pin?.revision, let new = answer.revision, old != new {
        throw Failure(
          .integrity, shown, "its source now has revision \(new), but the lock has \(old)",
          advice: "`dray sync --update` takes the present version")
      }
      let before = found.files.count
      do throws(DocumentError) {
        if wanted.isHubCache {
          answer = try cached(try Manifest.wanted(answer, of: wanted), name, wanted.directory, &caches)
        }
        found = try found.adding(answer, of: wanted)
      } catch {
        throw Failure(.usage, shown, error.reason)
      }
      try questions.take(found.files.count - before, of: exact)
    }
    found.caches = caches
    return found
  }

  /// Arranges the files of an answer in a cache of the official client of Hugging Face.
  private static func cached(
    _ answer: SourceAnswer, _ name: SourceName, _ directory: String, _ caches: inout [Manifest.Cache]
  ) throws(DocumentError) -> SourceAnswer {
    guard name.scheme == HubName.scheme else {
      throw DocumentError("a manifest", "hf-cache is for names of hf:")
    }
    let cache = try HubCache(answer, asked: name, time: WallClock.now())
    caches.append(Manifest.Cache(cache, in: directory))
    return cache.answer
  }

  /// Returns the name that a lock has for a version of a name. A lock that someone else wrote must not name anything
  /// but a version.
  static func exact(
    _ pin: SyncLock.Pin, of name: SourceName, _ sources: NamedSources
  ) throws(Failure) -> SourceName {
    guard let exact = sources.name(in: pin.asked(for: name.text)), exact.scheme == name.scheme,
      sources[name.scheme]?.isVersion(exact, of: name) ?? false
    else {
      throw Failure(
        .usage, name.shown, "the lock pins \(SourceReference.shown(pin.exactName)), which is not a version of it",
        advice: "`dray sync --update` takes the present version")
    }
    return exact
  }
}
