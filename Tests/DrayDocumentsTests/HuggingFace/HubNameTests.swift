// Names on Hugging Face: the official addresses, short names, and pasted web addresses.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite struct HubNameTests {
  private static func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  @Test(
    arguments: [
      ("org/name", HubName(.model, "org/name")),
      ("//org/name", HubName(.model, "org/name")),
      ("//models/org/name/", HubName(.model, "org/name")),
      ("gpt2", HubName(.model, "gpt2")),
      ("gpt2@v1", HubName(.model, "gpt2", revision: "v1")),
      ("gpt2@v1/a/b.bin", HubName(.model, "gpt2", revision: "v1", path: "a/b.bin")),
      ("datasets/org/name@v1/train.csv", HubName(.dataset, "org/name", revision: "v1", path: "train.csv")),
      ("spaces/org/name/app.py", HubName(.space, "org/name", path: "app.py")),
      ("kernels/org/name", HubName(.kernel, "org/name")),
      ("buckets/org/name/a/b", HubName(.bucket, "org/name", path: "a/b")),
      ("buckets/org/name/a@b", HubName(.bucket, "org/name", path: "a@b")),
      ("org/name@refs/pr/10", HubName(.model, "org/name", revision: "refs/pr/10")),
      ("org/name@refs/pr/10/a.json", HubName(.model, "org/name", revision: "refs/pr/10", path: "a.json")),
      (
        "datasets/org/name@refs/convert/parquet-v2/x/0.parquet",
        HubName(.dataset, "org/name", revision: "refs/convert/parquet-v2", path: "x/0.parquet")
      ),
      ("org/name@refs/pr/x/a", HubName(.model, "org/name", revision: "refs", path: "pr/x/a")),
      ("org/name@feature%2Ffoo/a.txt", HubName(.model, "org/name", revision: "feature/foo", path: "a.txt")),
      ("org/name/file@1.txt", HubName(.model, "org/name", path: "file@1.txt")),
      ("Org-1/na_me.v2", HubName(.model, "Org-1/na_me.v2")),
    ])
  func parsed(text: String, name: HubName) throws {
    #expect(try HubName.parse(text) == name)
    // The text of a name is the name again.
    #expect(try HubName.parse(name.text) == name, "\(name.text)")
  }

  @Test(
    arguments: [
      ("", "NAMESPACE/NAME"), ("/name", "NAMESPACE/NAME"), ("org//x", "NAMESPACE/NAME"), ("model/org/name", "models/"),
      ("dataset/org/name", "datasets/"), ("org/na--me", "NAMESPACE/NAME"), ("org/..", "NAMESPACE/NAME"),
      ("org/name.git", "NAMESPACE/NAME"), ("-org/name", "NAMESPACE/NAME"), ("org/na me", "NAMESPACE/NAME"),
      ("org/name@", "not a branch"), ("org/name@a..b", "not a branch"), ("org/name@%2E%2E", "not a branch"),
      ("org/name@a%2F%2Fb", "not a branch"), ("org/name@%FF", "not UTF-8"), ("org/name@a%0Ab", "not a branch"),
      ("org/name/../x", "has the path"), ("org/name/a//b", "has the path"), ("org/name/./b", "has the path"),
      ("org/name@v1/a\u{1B}[2J", "has the path"),
      ("buckets/org/name@v1/a", "NAMESPACE/NAME"),
      ("buckets/org", "bucket"),
      ("org/" + String(repeating: "a", count: 97), "NAMESPACE/NAME"), ("org/name@~1", "not a branch"),
    ])
  func refused(text: String, reason: String) throws {
    let error = #expect(throws: DocumentError.self) { try HubName.parse(text) }
    #expect(try #require(error).reason.contains(reason), "\(error?.reason ?? "")")
  }

  @Test(
    arguments: [
      ("https://huggingface.co/org/name/resolve/main/a/b%20c.bin?download=true", "org/name@main/a/b c.bin"),
      ("https://huggingface.co/org/name/blob/refs%2Fpr%2F1/a.json", "org/name@refs/pr/1/a.json"),
      ("https://huggingface.co/org/name/blob/refs/pr/1/a.json", "org/name@refs/pr/1/a.json"),
      ("https://hf.co/datasets/org/name/raw/v1/a.csv", "datasets/org/name@v1/a.csv"),
      ("https://huggingface.co/spaces/org/name/tree/feature%2Ffoo", "spaces/org/name@feature%2Ffoo"),
      ("https://huggingface.co/buckets/org/name/resolve/a/b", "buckets/org/name/a/b"),
      ("http://127.0.0.1:8080/hub/org/name/resolve/main/a", "org/name@main/a"),
    ])
  func pasted(address: String, name: String) throws {
    let hub = try Self.url("http://127.0.0.1:8080/hub")
    #expect(HubName.of(address: try Self.url(address), endpoint: hub)?.text == name)
  }

  @Test(
    arguments: [
      "https://huggingface.co/org/name", "https://huggingface.co/docs/hub/main/a/b", "https://huggingface.co/",
      "https://huggingface.co/org/name/commit/main/a", "https://huggingface.co:444/org/name/resolve/main/a",
      "https://example.com/org/name/resolve/main/a", "https://huggingface.co/org/name/resolve/main/%FF",
      "https://huggingface.co/api/models/org/name/tree/main", "http://127.0.0.1:8080/other/org/name/resolve/main/a",
      "ftp://huggingface.co/org/name/resolve/main/a", "https://huggingface.co/org/name/resolve/main",
    ])
  func otherAddresses(address: String) throws {
    let hub = try Self.url("http://127.0.0.1:8080/hub")
    #expect(HubName.of(address: try Self.url(address), endpoint: hub) == nil)
  }
}
