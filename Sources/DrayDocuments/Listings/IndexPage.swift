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
}
