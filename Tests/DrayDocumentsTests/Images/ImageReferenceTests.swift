// Names of images, as docker reads them, and names of models.

import DrayCore
import DrayDocuments
import Testing

@Suite("Names of images")
struct ImageReferenceTests {
  static let hex = String(repeating: "0123456789abcdef", count: 4)

  @Test(
    "names and the URLs of their manifests",
    arguments: [
      ("debian", "docker.io/library/debian:latest", "https://registry-1.docker.io/v2/library/debian/manifests/latest"),
      ("debian:12", "docker.io/library/debian:12", "https://registry-1.docker.io/v2/library/debian/manifests/12"),
      ("org/app:1.0_b-2", "docker.io/org/app:1.0_b-2", "https://registry-1.docker.io/v2/org/app/manifests/1.0_b-2"),
      ("index.docker.io/debian", "docker.io/library/debian:latest", nil),
      ("docker.io/org/app", "docker.io/org/app:latest", nil),
      ("reg.example/a/b/c:x", "reg.example/a/b/c:x", "https://reg.example/v2/a/b/c/manifests/x"),
      ("reg.example:8443/a", "reg.example:8443/a:latest", "https://reg.example:8443/v2/a/manifests/latest"),
      ("//reg.example/a:1", "reg.example/a:1", "https://reg.example/v2/a/manifests/1"),
      ("//intern/a:1", "intern/a:1", "https://intern/v2/a/manifests/1"),
      ("localhost:5000", "docker.io/library/localhost:5000", nil),
      ("localhost/a", "localhost/a:latest", "http://localhost/v2/a/manifests/latest"),
      ("localhost:5000/a:1", "localhost:5000/a:1", "http://localhost:5000/v2/a/manifests/1"),
      ("127.0.0.1:5000/a:1", "127.0.0.1:5000/a:1", "http://127.0.0.1:5000/v2/a/manifests/1"),
      ("[::1]:5000/a:1", "[::1]:5000/a:1", "http://[::1]:5000/v2/a/manifests/1"),
      ("https://localhost:5000/a:1", "localhost:5000/a:1", "https://localhost:5000/v2/a/manifests/1"),
      ("127.0.0.1.example/a:1", "127.0.0.1.example/a:1", "https://127.0.0.1.example/v2/a/manifests/1"),
      ("a__b/c--d.e:T", "docker.io/a__b/c--d.e:T", nil),
    ] as [(String, String, String?)])
  func names(text: String, name: String, url: String?) throws {
    let reference = try ImageReference.parse(text)
    #expect(reference.name == name)
    if let url { #expect(reference.manifest(reference.tag ?? "")?.string == url) }
  }

  @Test("a digest stands beside a tag, or alone")
  func digests() throws {
    let both = try ImageReference.parse("reg.example/a:1@sha256:\(Self.hex)")
    #expect(both.tag == "1" && both.digest?.hex == Self.hex)
    let alone = try ImageReference.parse("debian@sha256:\(Self.hex)")
    #expect(alone.tag == nil && alone.name == "docker.io/library/debian@sha256:\(Self.hex)")
    let long = try ImageReference.parse("debian@sha512:\(Self.hex)\(Self.hex)")
    #expect(long.digest?.algorithm == .sha512)
  }

  @Test(
    "a pinned name is read as the same image",
    arguments: ["debian:12", "localhost:5000/a", "https://[::1]:1/a:b", "//intern/a", "INTERN/a"])
  func pins(text: String) throws {
    var reference = try ImageReference.parse(text)
    let digest = try #require(ImageDigest.parse("sha256:\(Self.hex)"))
    let again = try ImageReference.parse(reference.pinned(to: digest))
    reference.digest = digest
    #expect(again == reference)
  }

  @Test(
    "names that are refused",
    arguments: [
      ("", "not the name of an image"), ("Debian", "no capital letters"), ("reg.example/A/b", "no capital letters"),
      ("reg.example/", "not the name"), ("a//b", "not the name"), ("a/../b", "not the name"), ("-a", "not the name"),
      ("a_", "not the name"), ("a___b", "not the name"), ("a._b", "not the name"), ("a:.b", "not a tag"),
      ("a:", "not a tag"), ("a: b", "not a tag"), ("a@sha256:12", "not a digest"), ("a@md5:\(hex)", "not a digest"),
      ("a@sha256:\(hex.uppercased())", "not a digest"), ("reg.example:0/a", "not a host"),
      ("reg..example/a", "not a host"), ("reg.example:70000/a", "not a host"), ("u:p@reg.example/a", "not a digest"),
      ("http://reg.example/a", "plain http"), ("é/a", "not the name"), ("a/b?c=d", "not the name"),
      (String(repeating: "a", count: 300), "not the name"), (String(repeating: "a", count: 2000), "too long"),
      ("a/b\u{301}", "not the name"), ("a\n", "not the name"),
    ])
  func refusals(text: String, reason: String) {
    let failure = #expect(throws: Failure.self) { try ImageReference.parse(text) }
    #expect(failure?.kind == .usage)
    #expect(failure?.reason.contains(reason) ?? false, "\(failure?.reason ?? "")")
  }

  @Test(
    "names of models",
    arguments: [
      ("llama3.2", "https://registry.ollama.ai/v2/library/llama3.2/manifests/latest"),
      ("llama3.2:1b", "https://registry.ollama.ai/v2/library/llama3.2/manifests/1b"),
      ("ann/Own:Q4_K_M", "https://registry.ollama.ai/v2/ann/Own/manifests/Q4_K_M"),
      ("hub.example/Org/Model-GGUF:Q4", "https://hub.example/v2/Org/Model-GGUF/manifests/Q4"),
      ("localhost:1/ns/m", "http://localhost:1/v2/ns/m/manifests/latest"),
      ("localhost/m", "https://registry.ollama.ai/v2/localhost/m/manifests/latest"),
    ])
  func models(text: String, url: String) throws {
    let reference = try ImageReference.parse(model: text)
    #expect(reference.manifest(reference.tag ?? "")?.string == url)
  }

  @Test(
    "names of models that are refused", arguments: ["", "a/b/c/d", "../m", "a/..", "a:../b", ".m", "a b", "a:b:c/d"])
  func modelRefusals(text: String) {
    #expect(throws: Failure.self) { try ImageReference.parse(model: text) }
  }

  @Test(
    "web pages of images and models",
    arguments: [
      ("https://hub.docker.com/_/debian", "docker.io/library/debian", nil),
      ("https://hub.docker.com/r/org/app/tags", "docker.io/org/app", nil),
      ("https://hub.docker.com/search", nil, nil), ("http://hub.docker.com/_/debian", nil, nil),
      ("https://ollama.com/library/llama3.2:1b", nil, "llama3.2:1b"), ("https://ollama.com/ann/own", nil, "ann/own"),
      ("https://ollama.com/library", nil, nil), ("https://example.com/_/debian", nil, nil),
    ] as [(String, String?, String?)])
  func pages(url: String, image: String?, model: String?) throws {
    let address = try RequestURL.parse(url).url
    #expect(ImageReference.image(at: address) == image)
    #expect(ImageReference.model(at: address) == model)
  }
}

@Suite("Platforms of images")
struct ImagePlatformTests {
  @Test(
    "platforms in normal form",
    arguments: [
      ("linux/amd64", "linux/amd64"), ("linux/x86_64", "linux/amd64"), ("linux/aarch64", "linux/arm64"),
      ("linux/arm64/v8", "linux/arm64"), ("Linux/ARM", "linux/arm/v7"), ("linux/arm/v6", "linux/arm/v6"),
      ("linux/armhf", "linux/arm/v7"), ("linux/amd64/v1", "linux/amd64"), ("linux/amd64/v3", "linux/amd64/v3"),
      ("macos/arm64", "darwin/arm64"), ("linux", nil), ("a/b/c/d", nil), ("linux/", nil), ("linux/a b", nil), ("", nil),
    ] as [(String, String?)])
  func forms(text: String, normal: String?) {
    #expect(ImagePlatform(text)?.text == normal)
  }
}
