/// Chooses the name of a target: the server's suggestion if it is usable, otherwise the last component of the URL.
enum TargetName {
  static func choose(_ response: ResponseRecord, ownName: String? = nil) -> String {
    if let suggested = ContentDisposition.fileName(response.head.all("content-disposition")),
      let name = FileName.safe(suggested)
    {
      return name
    }
    return ownName ?? FileName.fromURLPath(response.finalURL.path)
  }

  /// Returns the name to show: the title of a file that is named by its digest, else its name.
  static func shown(_ job: Job) -> String { job.title ?? provisional(job) }

  /// Returns the name to show until the target's name is fixed.
  static func provisional(_ job: Job) -> String {
    job.fileName ?? FileName.fromURLPath(job.specification.request.url.path)
  }
}
