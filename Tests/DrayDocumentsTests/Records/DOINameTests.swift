// DOIs, and the services that their pages mean.

import DrayCore
import DrayDocuments
import Testing

@Suite("Names of records")
struct DOINameTests {
  @Test(
    "DOIs",
    arguments: [
      ("10.5281/zenodo.123", "10.5281/zenodo.123"), ("10.7910/DVN/A1B2", "10.7910/DVN/A1B2"), ("doi:10.1/x", "10.1/x"),
      ("10.1002.1/(SICI)1097<1:AID>3.0", "10.1002.1/(SICI)1097<1:AID>3.0"),
      ("", nil), ("10.5281", nil), ("10.5281/", nil), ("10./x", nil), ("10.a/x", nil), ("11.1/x", nil),
      ("10.1/a/../b", nil),
      ("10.1/..", nil), ("10.1/a b", nil), ("10.1/a\u{1B}", nil), ("https://doi.org/10.1/x", nil),
    ] as [(String, String?)])
  func dois(_ text: String, _ doi: String?) { #expect(DOIName(text)?.doi == doi) }

  @Test("a part of a URL")
  func encoded() { #expect(DOIName("10.1/a<b>/c?d#e")?.encoded == "10.1/a%3Cb%3E/c%3Fd%23e") }

  @Test(
    "web addresses",
    arguments: [
      ("https://doi.org/10.5281/zenodo.123", "doi:10.5281/zenodo.123"),
      ("http://dx.doi.org/10.1/a%3Cb", "doi:10.1/a<b"),
      ("https://doi.org/", nil), ("https://doi.org/10.1/x?y", nil), ("https://example.org/10.1/x", nil),
    ] as [(String, String?)])
  func addresses(_ address: String, _ text: String?) throws {
    #expect(DOIName.named(by: try RequestURL.parse(address).url)?.text == text)
  }

  @Test(
    "services by the page, and their first calls",
    arguments: [
      ("https://zenodo.org/records/123", "10.5281/zenodo.123", ["https://zenodo.org/api/records/123"]),
      ("https://x.example/record/abcd-12/files", "10.1/x", ["https://x.example/api/records/abcd-12"]),
      ("http://old.example/records/9", "10.1/x", ["https://old.example/api/records/9"]),
      ("http://127.0.0.1:99/records/9", "10.1/x", ["http://127.0.0.1:99/api/records/9"]),
      (
        "https://figshare.com/articles/dataset/T_2020/14763051/1", "10.6084/m9.x",
        ["https://api.figshare.com/v2/articles/14763051/versions/1"]
      ),
      (
        "https://portal.example/articles/dataset/2020/14763051", "10.6084/m9.figshare.14763051.v3",
        ["https://api.figshare.com/v2/articles/14763051/versions/3"]
      ),
      ("https://figshare.com/articles/14763051", "10.6084/m9.x", ["https://api.figshare.com/v2/articles/14763051"]),
      ("https://figshare.com/articles/x/12", "10.6084/m9.x", []),
      (
        "https://d.example/dataset.xhtml?persistentId=doi:10.7910/DVN/A", "10.7910/DVN/A",
        ["https://d.example/api/datasets/:persistentId/?persistentId=doi%3A10.7910%2FDVN%2FA"]
      ),
      (
        "https://d.example/file.xhtml?persistentId=doi%3A10.1%2FA%2FB", "10.1/A/B",
        ["https://d.example/api/files/:persistentId/?persistentId=doi%3A10.1%2FA%2FB"]
      ),
      ("https://d.example/x?persistentId=hdl:1/2", "10.1/x", []), ("https://p.example/", "10.1/x", []),
      ("https://p.example/records/", "10.1/x", []), ("https://p.example/records/a%2Fb", "10.1/x", []),
    ])
  func services(_ page: String, _ doi: String, _ calls: [String]) throws {
    let url = try RequestURL.parse(page).url
    let found = RecordService.possible(at: url, try #require(DOIName(doi)))
    #expect(found.map { $0.call(url)?.string } == calls)
  }
}
