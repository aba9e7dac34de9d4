// Listings of real FTP, SFTP, WebDAV and S3 servers, and lines that they might write.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Listings of servers")
struct ServerListingTests {
  private let directory = "ftp://h.example/d/"

  @Test("LIST of vsftpd and of sshd; a link is skipped", arguments: [("vsftpd.list", false), ("sshd.list", true)])
  func unix(_ name: String, _ hasHidden: Bool) throws {
    let base = try ListingPages.url(directory)
    let listing = try FTPListing.lines(try ListingPages.bytes(name), of: base)
    var wanted = ListingPages.files.union(["empty/", "sub dir/"])
    if !hasHidden { wanted.remove(".hidden") }
    #expect(ListingPages.names(listing, below: base) == wanted)
    #expect((listing.others, listing.unusable) == (1, 0))
    let big = listing.entries.first { $0.url.path == "/d/big.iso" }
    #expect(big?.facts == ListedFacts(size: 3_000_000) && big?.row.contains("Nov 14  2023") == true)
  }

  @Test("LIST of Windows")
  func windows() throws {
    let base = try ListingPages.url(directory)
    let listing = try FTPListing.lines(try ListingPages.bytes("windows.list"), of: base)
    #expect(ListingPages.names(listing, below: base) == ["sub dir/", "b & c.txt", "big.iso"])
    #expect(listing.others == 1 && listing.entries.last?.facts.size == 3_000_000)
  }

  @Test("MLSD of pyftpdlib")
  func machine() throws {
    let base = try ListingPages.url(directory)
    let listing = try FTPListing.machine(try ListingPages.bytes("pyftpdlib.mlsd"), of: base)
    #expect(ListingPages.names(listing, below: base) == ListingPages.files.union(["empty/", "loop/", "sub dir/"]))
    let big = listing.entries.first { $0.url.path == "/d/big.iso" }
    #expect(big?.facts == ListedFacts(size: 3_000_000, modified: 1_700_000_000))
  }

  /// A line, and the name in it; `nil` for an invalid line, `""` for a skipped one.
  private static let lines: [(String, String?)] = [
    ("-rw-r--r-- 1 ann users 18 Nov 14 22:13 a", "a"), ("-rw-r--r-- 1 18 Nov 14 22:13  two  blanks ", " two  blanks "),
    ("-rw-r--r--+ 1 ann domain users 18 Nov 14 2023 a", "a"), ("-rw-r--r-- 1 ann users 18 14 Nov 2023 a", "a"),
    ("-rw-r--r-- 1 ann users 18 2023-11-14 22:13 a", "a"), ("drwxr-xr-x 2 0 0 4096 Nov 14 2023 a", "a/"),
    ("-rw-r--r-- 1 Nov 14 18 Nov 14 2023 Nov 14 2023 a", "Nov 14 2023 a"), ("total 4", ""),
    ("lrwxrwxrwx 1 0 0 2 Nov 14 2023 a -> ..", ""), ("crw-rw-rw- 1 0 0 1 Nov 14 2023 null", ""),
    ("drwxr-xr-x 2 0 0 4096 Nov 14 2023 ..", ""), ("-rw-r--r-- 1 0 0 18 Nov 14 2023 a/b", "!"),
    ("-rw-r--r-- 1 0 0 18 Nov 14 2023 \u{1B}[2J", "!"), ("-rw-r--r-- 1 0 0 18 Nov 14 2023", nil),
    ("-rw-r--r-- 1 0 0 18 Nov 44 2023 a", nil), ("a.bin", nil), ("-rw-r--r--", nil), ("<html>", nil),
    ("-rw-r--r-- 1 0 0 99999999999999999999 Nov 14 2023 a", nil), ("11-14-23 10:13PM 5", nil),
    ("01-02-03  04:05AM             5 a b", "a b"),
  ]

  @Test("a line of LIST", arguments: lines)
  func line(_ text: String, _ wanted: String?) throws {
    let base = try ListingPages.url(directory)
    guard let wanted else {
      #expect(throws: DocumentError.self) { try FTPListing.lines(Array(text.utf8), of: base) }
      return
    }
    let listing = try FTPListing.lines(Array((text + "\r\n").utf8), of: base)
    switch wanted {
    case "": #expect(listing.entries.isEmpty && listing.unusable == 0)
    case "!": #expect(listing.entries.isEmpty && listing.unusable == 1)
    default: #expect(ListingPages.names(listing, below: base) == [wanted])
    }
  }

  @Test(
    "a line of MLSD",
    arguments: [
      ("type=file;size=3; a", "a"), ("Type=DIR;Modify=20231114221320.5; a b", "a b/"), ("type=cdir; .", ""),
      ("type=OS.unix=slink:/x; a", ""), ("size=3; a", nil), ("type=file;size=3;", nil), ("type=file a", nil),
      ("total 4", nil), ("type=file; ..", "!"),
    ] as [(String, String?)])
  func fact(_ text: String, _ wanted: String?) throws {
    let base = try ListingPages.url(directory)
    guard let wanted else {
      #expect(throws: DocumentError.self) { try FTPListing.machine(Array(text.utf8), of: base) }
      return
    }
    let listing = try FTPListing.machine(Array(text.utf8), of: base)
    if wanted.isEmpty || wanted == "!" {
      #expect(listing.entries.isEmpty && listing.unusable == (wanted == "!" ? 1 : 0))
    } else {
      #expect(ListingPages.names(listing, below: base) == [wanted])
    }
  }

  @Test("an empty listing is an empty directory")
  func empty() throws {
    #expect(try FTPListing.lines([], of: try ListingPages.url(directory)).entries.isEmpty)
    #expect(try FTPListing.machine([], of: try ListingPages.url(directory)).entries.isEmpty)
  }

  @Test("PROPFIND of Apache: exact facts, the directory itself is not an entry")
  func webDAV() throws {
    let base = try ListingPages.url()
    let listing = try WebDAVListing.parse(try ListingPages.bytes("apache-dav.xml"), of: base)
    #expect(ListingPages.names(listing, below: base) == [".hidden", "<b>.txt", "b & c.txt", "sub dir/"])
    let file = listing.entries.first { $0.url.path == "/d/.hidden" }
    #expect(file?.facts == ListedFacts(size: 18, modified: 1_700_000_000, etag: "\"12-60a24181e4000\""))
  }

  @Test("entries of WebDAV outside the directory, and answers that are not WebDAV")
  func webDAVElsewhere() throws {
    let base = try ListingPages.url()
    func response(_ href: String, _ status: String = "HTTP/1.1 200 OK") -> String {
      "<response><href>\(href)</href><propstat><prop><getcontentlength>-1</getcontentlength></prop>"
        + "<status>\(status)</status></propstat></response>"
    }
    let xml =
      "<multistatus xmlns=\"DAV:\">" + response("http://x.example/d/a") + response("/e/a") + response("/d/../e")
      + response("") + response("/d/no", "HTTP/1.1 404 Not Found") + response("http://h.example/d/a") + "</multistatus>"
    let listing = try WebDAVListing.parse(Array(xml.utf8), of: base)
    #expect(listing.entries.map(\.url.string) == ["http://h.example/d/a"])
    #expect(listing.entries.first?.facts == ListedFacts() && listing.unusable == 1)
    #expect(listing.dropped == [.otherServer: 1, .outside: 2, .refused: 1])
    #expect(throws: DocumentError.self) { try WebDAVListing.parse(Array("<a/>".utf8), of: base) }
    #expect(throws: DocumentError.self) { try WebDAVListing.parse(Array("<html>".utf8), of: base) }
  }

  @Test("ListObjectsV2 of moto, in parts")
  func objects() throws {
    let base = try ListingPages.url("s3://files/pub/")
    let listing = try S3Listing.parse(try ListingPages.bytes("moto.xml"), of: base)
    #expect(listing.entries.map(\.url.string) == ["s3://files/pub/a.bin"])
    #expect(listing.entries.first?.facts.etag == "\"749e89b5a9c50038c55050bff56493f6\"")
    #expect(listing.entries.first?.facts.size == 16)
    #expect(listing.next == "c995f92e42c68605ae8cd65845fc1146")
    // `pub/e//f` has no place in a tree; `pub/dir/` is not a file.
    #expect(listing.unusable == 1)
  }

  @Test("encoded keys, and keys outside the prefix")
  func keys() throws {
    func list(_ keys: [String], _ more: String = "<EncodingType>url</EncodingType>") throws -> Listing {
      let contents = keys.map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
      let xml = "<ListBucketResult>\(contents)\(more)</ListBucketResult>"
      return try S3Listing.parse(Array(xml.utf8), of: try ListingPages.url("s3://files/pub/"))
    }
    let listing = try list(["pub/a+b%2Bc.txt", "pub/%C3%BC/x", "other/a", "pub/../a", "pub/%00"])
    #expect(listing.entries.map(\.url.string) == ["s3://files/pub/a%20b%2Bc.txt", "s3://files/pub/%C3%BC/x"])
    #expect(listing.unusable == 2)
    #expect(try list(["pub/a+b"], "").entries.map(\.url.string) == ["s3://files/pub/a%2Bb"])
    #expect(throws: DocumentError.self) { try list([""]) }
    #expect(throws: DocumentError.self) { try list(["pub/a"], "<IsTruncated>true</IsTruncated>") }
    #expect(throws: DocumentError.self) {
      try S3Listing.parse(Array("<Error/>".utf8), of: try ListingPages.url("s3://files/pub/"))
    }
  }

  /// The listing's facts; `ETag` and date of the answer with a file of 5 bytes; whether the file is the same.
  private static let proofs: [(ListedFacts, String?, String?, Bool)] = [
    (ListedFacts(size: 5, modified: 784_111_777), nil, "Sun, 06 Nov 1994 08:49:37 GMT", true),
    (ListedFacts(size: 5, modified: 784_111_778), nil, "Sun, 06 Nov 1994 08:49:37 GMT", false),
    (ListedFacts(size: 6, modified: 784_111_777), nil, "Sun, 06 Nov 1994 08:49:37 GMT", false),
    (ListedFacts(modified: 784_111_777), nil, "Sun, 06 Nov 1994 08:49:37 GMT", false),
    (ListedFacts(size: 5), nil, "Sun, 06 Nov 1994 08:49:37 GMT", false),
    (ListedFacts(size: 5, modified: 1), nil, nil, false),
    (ListedFacts(etag: "\"a\""), "\"a\"", nil, true), (ListedFacts(etag: "\"a\""), "\"b\"", nil, false),
    (ListedFacts(size: 6, etag: "\"a\""), "\"a\"", nil, false), (ListedFacts(etag: "W/\"a\""), "W/\"a\"", nil, false),
    // If both sides have a strong tag, the tags decide.
    (ListedFacts(size: 5, modified: 784_111_777, etag: "\"a\""), "\"b\"", "Sun, 06 Nov 1994 08:49:37 GMT", false),
    (ListedFacts(size: 5, modified: 784_111_777, etag: "\"a\""), nil, "Sun, 06 Nov 1994 08:49:37 GMT", true),
    (ListedFacts(), "\"a\"", "Sun, 06 Nov 1994 08:49:37 GMT", false),
  ]

  @Test("whether a listing proves that a file is unchanged", arguments: proofs)
  func proof(_ facts: ListedFacts, _ etag: String?, _ date: String?, _ wanted: Bool) {
    #expect(facts.prove(Validators(etag: etag, lastModified: date), size: 5) == wanted)
  }
}
