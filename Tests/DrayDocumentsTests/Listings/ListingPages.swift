// Pages that servers made of one directory, in Tests/Listings.

import DrayCore
import Foundation

@testable import DrayDocuments

enum ListingPages {
  /// A page by the name of its file.
  static func bytes(_ name: String) throws -> [UInt8] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Listings")
    return Array(try Data(contentsOf: tests.appending(path: name)))
  }

  /// The directory of all pages except those of S3 and WebDAV.
  static let directory = "http://h.example/d/"

  static func url(_ text: String = directory) throws -> RequestURL { try RequestURL.parse(directory: text).url }

  /// Long enough to be shortened by servers that shorten names.
  static let long =
    "a-very-long-name-that-servers-cut-when-they-make-a-page-of-it-because-it-has-no-room-in-the-column.tar.gz"

  /// The entries of the directory, as the server has them.
  static let files: Set<String> = [
    ".hidden", "<b>.txt", "a.bin", "a:b.txt", "b & c.txt", "big.iso", "d\"e'f.txt", "p%20q.txt", "semi;colon+plus.txt",
    "x?y#z.txt", "ü.txt", long,
  ]

  /// The names of entries, decoded; those of directories end with a slash.
  static func names(_ listing: Listing, below directory: RequestURL) -> Set<String> {
    Set(
      listing.entries.map { entry in
        guard case .below(let path) = TreePath.place(of: entry.url, below: directory) else { return "?" }
        return path.components.joined(separator: "/") + (entry.isDirectory ? "/" : "")
      })
  }
}
