// The name that an answer gives its file.

/// Chooses the name of a target: the server's suggestion if it makes one that can be used, else the URL's last part.
enum TargetName {
  static func choose(_ response: ResponseRecord, ownName: String? = nil) -> String {
    if let suggested = ContentDisposition.fileName(response.head.all("content-disposition")),
      let name = FileName.safe(suggested)
    {
      return name
    }
    return ownName ?? FileName.fromURLPath(response.finalURL.path)
  }

  /// A name to show as long as none is fixed.
  static func provisional(_ job: Job) -> String {
    job.fileName ?? FileName.fromURLPath(job.specification.request.url.path)
  }
}
