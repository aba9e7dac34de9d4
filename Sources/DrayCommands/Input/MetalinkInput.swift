// `--metalink`: asks servers for Metalink documents, and adds what they describe to a list before anything is queued.

internal import DrayDocuments
internal import DrayKit

enum MetalinkInput {
  /// Requests every URL of a list. A URL that is a Metalink document, by its type or its name, is replaced by the files
  /// of the document. If the answer for a URL refers to such a document, the URL gets what the document says. Any other
  /// URL stays as it is.
  static func resolve(
    _ list: InputList, _ template: JobTemplate, _ arguments: JobArguments
  ) async throws(Failure) -> InputList {
    var resolved = InputList(remarksOf: list)
    for entry in list.entries {
      let own = list.options(of: entry)
      let request = template.request.request(for: entry, own)
      guard entry.url.scheme.hasPrefix("http"), request.isSafe, own.source == nil,
        let offer = try await MetalinkSource.ask(request)
      else {
        resolved.append(entry.url, own)
        continue
      }
      let name = request.url.description
      report(offer.remarks, offer.name)
      if offer.isItself {
        try add(offer.files, home: request.url, arguments, place: name, into: &resolved)
      } else if let file = offer.describing(entry.url) {
        var described = own
        if own.mirrors.isEmpty { described.mirrors = file.urls.filter { $0 != entry.url } }
        described.offer = OfferedFile(urls: [entry.url], size: file.size, digest: file.digest, pieces: file.pieces)
        described.offer?.digestSource = file.digestSource
        resolved.append(entry.url, described)
      } else {
        Messages.print("\(name): the Metalink file named by its server does not describe it")
        resolved.append(entry.url, own)
      }
    }
    return resolved
  }

  /// Prints the errors in a Metalink document that did not prevent its use.
  static func report(_ remarks: [String], _ place: String) {
    for line in Remarks.shortened(remarks.map { "\(place): \($0)" }, place) { Messages.print(line) }
  }

  static func add(
    _ files: [OfferedFile], home: RequestURL?, _ arguments: JobArguments, place: String, into list: inout InputList
  ) throws(Failure) {
    for file in files { try list.append(file, home: home, keepsName: arguments.output == nil, place: place) }
  }
}
