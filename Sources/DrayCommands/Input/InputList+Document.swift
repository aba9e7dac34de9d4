// Files that a document offers, as entries of a list.

internal import DrayDocuments
internal import DrayKit

extension InputList {
  /// Adds a file that a document offers.
  /// - Parameters:
  ///   - home: the URL of the document; `nil` for a local one.
  ///   - keepsName: whether the document's name for it is taken.
  /// - Throws: kind `usage` for a header field that dray sets itself.
  mutating func append(_ file: OfferedFile, home: RequestURL?, keepsName: Bool, place: String) throws(Failure) {
    guard let url = file.urls.first else { return }
    var own = LineOptions()
    own.home = home
    own.out = keepsName ? file.name : nil
    (own.digest, own.digestSource) = (file.digest, file.digestSource)
    own.size = file.size
    own.pieces = file.pieces
    own.mirrors = Array(file.urls.dropFirst())
    for field in file.headers {
      own.headers.append(try HeaderLine.parse("\(field.name): \(field.value)", place))
    }
    append(url, own)
  }
}
