// From a file that a document offers to its job: the only place where that is decided.

public import DrayCore
public import DrayDocuments

extension OfferedFile {
  /// Makes the job of the file; `nil` for a file without a URL.
  /// - Parameter directory: the directory that the file's path starts from.
  public func job(in directory: String) -> JobSpecification? {
    guard let first = urls.first else { return nil }
    var job = JobSpecification(request: TransferRequest(url: first), directory: directory)
    apply(to: &job)
    return job
  }

  /// Adds everything but the first URL to a job. What the document does not say stays as it is.
  ///
  /// Header fields are added as they are: check them before.
  public func apply(to job: inout JobSpecification) {
    if let name {
      // The document must not lead files through links (P6).
      let place = job.place.appending(PathText.directory(of: name))
      (job.directory, job.foreignDepth, job.output) = (place.path, place.foreignDepth, PathText.name(of: name))
    }
    job.request.headers += headers
    job.request.userAgent = userAgent ?? job.request.userAgent
    job.request.referer = referer ?? job.request.referer
    if urls.count > 1 { job.options.mirrors = Array(urls.dropFirst()) }
    if let digest { (job.options.digest, job.options.digestSource) = (digest, digestSource) }
    job.options.expectedSize = size ?? job.options.expectedSize
    job.options.pieces = pieces ?? job.options.pieces
  }
}
