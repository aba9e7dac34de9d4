// Makes a job from a file that a document offers. All kinds of documents use this conversion.

package import DrayCore
package import DrayDocuments

extension OfferedFile {
  /// Creates the job of the file; returns `nil` for a file without a URL.
  /// - Parameter directory: The base directory of the file's path.
  package func job(in directory: String) -> JobSpecification? {
    guard let first = urls.first else { return nil }
    var job = JobSpecification(request: TransferRequest(url: first), directory: directory)
    apply(to: &job)
    return job
  }

  /// Adds to a job all facts that the document states about the file, except the first URL. Properties that the
  /// document does not state stay unchanged.
  ///
  /// Header fields are added unchecked; the caller must check them first.
  package func apply(to job: inout JobSpecification) {
    if let name {
      // A path from a document must not lead through links (P6).
      let place = job.place.appending(PathText.directory(of: name))
      (job.directory, job.foreignDepth, job.output) = (place.path, place.foreignDepth, PathText.name(of: name))
    }
    job.state(settings)
    job.request.headers += headers
    job.request.userAgent = userAgent ?? job.request.userAgent
    job.request.referer = referer ?? job.request.referer
    if urls.count > 1 { job.options.mirrors = Array(urls.dropFirst()) }
    if let digest { (job.options.digest, job.options.digestSource) = (digest, digestSource) }
    job.options.expectedSize = size ?? job.options.expectedSize
    job.options.pieces = pieces ?? job.options.pieces
    if let control { job.options.seeding = Seeding(files: job.options.seeding?.files ?? [], control: control) }
  }

  private var settings: [String] {
    var names: [String] = []
    if !headers.isEmpty { names.append("header") }
    if userAgent != nil { names.append("user-agent") }
    if referer != nil { names.append("referer") }
    if urls.count > 1 { names.append("mirror") }
    if digest != nil { names += ["checksum", "checksum-source"] }
    if size != nil { names.append("size") }
    if pieces != nil { names.append("pieces") }
    if control != nil { names.append("zsync") }
    return names
  }
}

extension JobSpecification {
  /// Marks settings that a document states.
  mutating func state(_ names: [String]) {
    given?.formUnion(names)
    stated.formUnion(names)
  }
}
