package import DrayCore

/// Reads the pages that web servers make for directories.
package enum IndexPage {
  /// The `Accept` field. Listings in JSON have exact sizes and times; a server without them sends its page.
  package static let accept = "application/json, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.1"

  /// Returns the entries of a page.
  /// - Parameters:
  ///   - type: The media type in the answer, if any.
  ///   - directory: The URL of the directory, whose path ends with a slash.
  /// - Throws: ``DocumentError`` if the page is no index.
  package static func parse(_ bytes: [UInt8], type: MediaType?, of directory: RequestURL) throws(DocumentError)
    -> Listing
  {
    switch type?.essence {
    case "application/json"?: return try JSONIndex.parse(bytes, of: directory)
    case nil: break
    case let essence? where type?.isHTML != true:
      throw DocumentError(HTMLIndex.kind, "it is of the type \(quote(essence)), not a web page")
    default: break
    }
    return try HTMLIndex.parse(bytes, of: directory)
  }

  /// Returns the entries of an answer for a link that may be a file. The answer itself must prove that it lists the
  /// directory.
  /// - Parameters:
  ///   - link: The URL of the link, without a final slash.
  ///   - hasNamesOnly: Whether the listing that contains the link has only names. Only then can a JSON answer be a
  ///     listing.
  /// - Returns: `nil` for a file.
  package static func proved(
    _ bytes: [UInt8], type: MediaType?, of link: RequestURL, hasNamesOnly: Bool
  ) -> Listing? {
    let directory = link.asDirectory
    guard type?.essence == "application/json" else {
      return type?.isHTML == true ? try? HTMLIndex.parse(bytes, of: directory, at: link, isProved: true) : nil
    }
    guard hasNamesOnly, let listing = try? JSONIndex.parse(bytes, of: directory), listing.hasNamesOnly else {
      return nil
    }
    return listing
  }
}
