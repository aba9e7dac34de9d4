// Adds a document's files to a list.

internal import DrayDocuments
internal import DrayKit

extension InputList {
  /// Adds a file that a document offers.
  /// - Parameters:
  ///   - home: The URL of the document; `nil` for a local one.
  ///   - keepsName: Whether the file gets its name in the document.
  /// - Throws: Kind `usage` for a header field that dray sets itself.
  mutating func append(_ file: OfferedFile, home: RequestURL?, keepsName: Bool, place: String) throws(Failure) {
    guard let url = file.urls.first else { return }
    var own = LineOptions()
    own.home = home
    own.out = keepsName ? file.name : nil
    // `--mirror` adds to these.
    own.mirrors = Array(file.urls.dropFirst())
    var offer = file
    (offer.urls, offer.name) = ([url], nil)
    offer.headers = try file.headers.map { (field) throws(Failure) in
      try HeaderLine.parse("\(field.name): \(field.value)", place)
    }
    own.offer = offer
    append(url, own)
  }
}
