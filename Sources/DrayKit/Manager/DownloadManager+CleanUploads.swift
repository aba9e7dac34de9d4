// Aborts uploads to object stores that no job uses (P5), and counts those that this store did not begin (P17).

internal import DrayEngine
internal import DrayStore

extension DownloadManager {
  /// Aborts the uploads that this store began and no job uses. It is no failure if a server does not answer: the upload
  /// stays recorded for the next time.
  /// - Parameter place: Only uploads below this place; `nil` for all.
  func abortStrayUploads(below place: ObjectPlace? = nil, _ report: inout CleanReport) async {
    let marks: [UploadMark]
    do throws(Failure) { marks = try await strayUploads() } catch {
      report.left.append(.init(path: "the uploads", reason: error.reason, advice: error.advice, wasNamed: false))
      return
    }
    for mark in marks where place.map({ mark.isBelow($0) }) ?? true {
      let path = ObjectPlace(mark.place).map { "\(ObjectPlace.start)\($0.bucket)/\(mark.key)" } ?? mark.key
      do throws(Failure) {
        try await abort(mark)
        report.aborted.append(path)
      } catch {
        report.left.append(
          .init(
            path: path, reason: "its upload was not aborted: \(error.reason)",
            advice: error.advice ?? "try again later", wasNamed: false))
      }
    }
  }

  /// Returns how many unfinished uploads below a place were not begun by this store.
  func uploadsOfOthers(below path: String) async throws(Failure) -> Int {
    let place = DirectoryPlace(path, access: try await access(to: path))
    return try await uploads(at: place).count { $0.mark == nil }
  }

  /// Returns the access to the bucket of a place that the newest job has; `nil` if no job has one.
  private func access(to path: String) async throws(Failure) -> ObjectAccess? {
    guard let bucket = ObjectPlace(path)?.bucket else { return nil }
    var newest: JobID?
    do {
      try await store.forEachSummary { summary in
        if summary.place.object?.bucket == bucket { newest = max(newest ?? summary.id, summary.id) }
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.other, store.path, "\(error)")
    }
    guard let newest else { return nil }
    return try await store.job(newest)?.specification.place.access
  }
}

extension UploadMark {
  fileprivate func isBelow(_ other: ObjectPlace) -> Bool {
    ObjectPlace(place)?.bucket == other.bucket
      && (other.prefix.isEmpty || key == other.prefix || key.hasPrefix(other.prefix + "/"))
  }
}
