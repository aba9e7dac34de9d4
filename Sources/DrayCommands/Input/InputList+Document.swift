// Adds the files that a document describes to a list.

internal import DrayDocuments
internal import DrayKit

extension InputList {
  /// Adds a file that a document offers.
  /// - Parameters:
  ///   - home: The URL of the document; `nil` for a document on this machine.
  ///   - keepsName: Whether the file is stored under the name that the document gives it.
  /// - Throws: Kind `usage` for a header field that dray sets itself.
  mutating func append(_ file: OfferedFile, home: RequestURL?, keepsName: Bool, place: String) throws(Failure) {
    var own = LineOptions()
    own.home = home
    try append(file, to: own, keepsName: keepsName, line: 0, place: place)
  }

  /// Adds a file that a document or a source offers to the options that its line already has.
  mutating func append(
    _ file: OfferedFile, to options: LineOptions, keepsName: Bool, line: Int32, place: String
  ) throws(Failure) {
    guard let url = file.urls.first else { return }
    var own = options
    if keepsName { own.out = file.name }
    // The mirrors of `--mirror` are added to these later.
    own.mirrors += file.urls.dropFirst()
    var offer = file
    (offer.urls, offer.name) = ([url], nil)
    offer.headers = try file.headers.map { (field) throws(Failure) in
      try HeaderLine.parse("\(field.name): \(field.value)", place)
    }
    own.offer = offer
    append(url, own, line: line)
  }
}
