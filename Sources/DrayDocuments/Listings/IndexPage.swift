// An index page in whichever form it came.

public import DrayCore

/// Reads the pages that web servers make of directories.
public enum IndexPage {
  /// What is asked for: JSON has exact sizes and times, and a server that has none sends its page.
  public static let accept = "application/json, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.1"

  /// The entries of a page.
  /// - Parameters:
  ///   - type: its media type, if the server said one.
  ///   - directory: where it is from; its path ends with a slash.
  /// - Throws: ``DocumentError`` for what is not an index.
  public static func parse(_ bytes: [UInt8], type: MediaType?, of directory: RequestURL) throws(DocumentError)
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

  /// The entries of what answers for a link that may be a file's: it must prove by itself that it lists the directory.
  /// - Parameters:
  ///   - link: the URL of the link, without a slash at its end.
  ///   - hasNamesOnly: whether the listing with the link has names only; without markup nothing else proves such a one.
  /// - Returns: `nil` for a file.
  public static func proved(
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
