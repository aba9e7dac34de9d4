// Manifests and indexes: what is read from them, which lies are refused, and which image of an index is chosen.

import DrayCore
import DrayDocuments
import Testing

@Suite("Manifests of images")
struct ImageManifestTests {
  static let image = "application/vnd.oci.image.manifest.v1+json"
  static let index = "application/vnd.oci.image.index.v1+json"

  /// `sha256:` and one digit, repeated.
  static func digest(_ digit: Character) -> String { "sha256:" + String(repeating: digit, count: 64) }

  static func descriptor(
    _ digit: Character, _ size: Int = 10, type: String = "application/x", _ more: String = ""
  ) -> String {
    "{\"mediaType\": \"\(type)\", \"digest\": \"\(digest(digit))\", \"size\": \(size)\(more)}"
  }

  static func manifest(_ layers: [String], type: String = image) -> String {
    """
    {"schemaVersion": 2, "mediaType": "\(type)", "config": \(descriptor("c")), "layers": [\(layers.joined(separator: ","))]}
    """
  }

  static func index(_ entries: [String]) -> String {
    "{\"schemaVersion\": 2, \"mediaType\": \"\(index)\", \"manifests\": [\(entries.joined(separator: ","))]}"
  }

  static func entry(_ digit: Character, _ platform: String, type: String = image, _ more: String = "") -> String {
    let parts = platform.split(separator: "/")
    let variant = parts.count > 2 ? ", \"variant\": \"\(parts[2])\"" : ""
    let field = ", \"platform\": {\"os\": \"\(parts[0])\", \"architecture\": \"\(parts[1])\"\(variant)}"
    return descriptor(digit, type: type, field + more)
  }

  private func parse(_ text: String, _ type: String? = nil) throws -> ImageDocument {
    try ImageDocument.parse(Array(text.utf8), contentType: type)
  }

  @Test("the blobs of a manifest, each once, without those that registries may not pass on")
  func blobs() throws {
    let foreign = Self.descriptor(
      "f", type: "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip", ", \"urls\": [\"https://x/y\"]")
    let text = Self.manifest([Self.descriptor("1"), Self.descriptor("2", 20), Self.descriptor("1"), foreign])
    guard case .image(let manifest) = try parse(text, "\(Self.image); charset=utf-8") else { throw Wrong() }
    #expect(manifest.mediaType == Self.image)
    #expect(manifest.blobs.map { ImageDigest.text($0.digest) } == ["c", "1", "2"].map { Self.digest($0) })
    #expect(manifest.blobs.map(\.size) == [10, 10, 20])
    #expect(manifest.foreign.count == 1)
  }

  private struct Wrong: Error {}

  @Test("SHA-512 is read")
  func long() throws {
    let digest = "sha512:" + String(repeating: "a", count: 128)
    let text = Self.manifest(["{\"mediaType\": \"a/b\", \"digest\": \"\(digest)\", \"size\": 0}"])
    guard case .image(let manifest) = try parse(text) else { throw Wrong() }
    #expect(manifest.blobs.last.map { ImageDigest.path($0.digest) }?.hasPrefix("blobs/sha512/aaa") ?? false)
  }

  @Test(
    "documents that are refused",
    arguments: [
      ("[]", nil, "must be an object"), ("{}", nil, "schemaVersion"), ("{\"schemaVersion\": 1}", nil, "of 2014"),
      ("{\"schemaVersion\": 2}", nil, "config is missing"),
      ("{\"schemaVersion\": 2, \"mediaType\": 1}", nil, "mediaType"),
      ("{\"schemaVersion\": 2, \"mediaType\": \"text/html\"}", nil, "not known"),
      ("{\"schemaVersion\": 2, \"manifests\": [], \"layers\": []}", nil, "both an index and a manifest"),
      ("{\"schemaVersion\": 2, \"manifests\": [], \"config\": {}}", nil, "both an index and a manifest"),
      ("{\"schemaVersion\": 2, \"manifests\": {}}", nil, "must be an array"),
      (manifest([]), index, "the registry calls it"), (manifest([], type: index), nil, "do not fit"),
      (manifest(["{\"mediaType\": \"a/b\", \"digest\": \"md5:00\", \"size\": 1}"]), nil, "neither sha256:HEX"),
      (
        manifest(["{\"mediaType\": \"a/b\", \"digest\": \"sha256:../../etc\", \"size\": 1}"]), nil, "neither sha256:HEX"
      ),
      (
        manifest(["{\"mediaType\": \"a/b\", \"digest\": \"sha256:\(String(repeating: "A", count: 64))\", \"size\": 1}"]
        ), nil,
        "neither sha256:HEX"
      ),
      (manifest(["{\"mediaType\": \"a/b\", \"size\": 1}"]), nil, "has no digest"),
      (manifest(["{\"digest\": \"\(digest("1"))\", \"size\": 1}"]), nil, "has no mediaType"),
      (manifest([descriptor("1", type: "a\\u001bb")]), nil, "has no mediaType"),
      (manifest([descriptor("1", -1)]), nil, "has no size"),
      (manifest([descriptor("1", 1), descriptor("1", 2)]), nil, "two sizes"),
      (manifest([descriptor("1", .max), descriptor("2", .max)]), nil, "too large"),
      (manifest((0...10_000).map { _ in "{}" }), nil, "more than 10000"),
      (index([descriptor("1", type: image, ", \"platform\": {\"os\": \"linux\"}")]), nil, "no os and no architecture"),
      (index([entry("1", "li nux/a\\u001b")]), nil, "not words"),
    ] as [(String, String?, String)])
  func refusals(text: String, type: String?, reason: String) {
    let error = #expect(throws: DocumentError.self) { try parse(text, type) }
    #expect(error?.description.contains(reason) ?? false, "\(error?.description ?? "")")
  }

  @Test(
    "the image for a platform",
    arguments: [
      ("linux/amd64", "1"), ("linux/amd64/v3", "2"), ("linux/amd64/v2", "1"), ("linux/arm64", "3"),
      ("linux/arm64/v9", "3"),
      ("linux/arm/v7", "5"), ("linux/arm/v6", "4"), ("linux/arm/v5", nil), ("linux/riscv64", nil),
      ("windows/amd64", "6"),
      ("unknown/unknown", nil),
    ] as [(String, Character?)])
  func choices(platform: String, digit: Character?) throws {
    let text = Self.index([
      Self.entry("2", "linux/amd64/v3"), Self.entry("1", "linux/amd64"), Self.entry("3", "linux/arm64/v8"),
      Self.entry("4", "linux/arm/v6"), Self.entry("5", "linux/arm/v7"), Self.entry("6", "windows/amd64"),
      Self.entry("7", "unknown/unknown"),
      Self.entry("8", "linux/amd64", ", \"annotations\": {\"vnd.docker.reference.type\": \"attestation-manifest\"}"),
    ])
    guard case .index(let descriptors) = try parse(text) else { throw Wrong() }
    let choice = ImageChoice.choose(descriptors, try #require(ImagePlatform(platform)))
    if let digit {
      guard case .image(let image) = choice else { throw Wrong() }
      #expect(ImageDigest.text(image.digest) == Self.digest(digit))
    } else {
      guard case .none(let platforms) = choice else { throw Wrong() }
      #expect(platforms.count == 6)
    }
  }

  @Test("an image without a platform counts if it is the only one, and indexes in an index are followed")
  func unusual() throws {
    func choice(_ entries: [String]) throws -> ImageChoice {
      guard case .index(let descriptors) = try parse(Self.index(entries)) else { throw Wrong() }
      return ImageChoice.choose(descriptors, ImagePlatform(os: "linux", architecture: "amd64"))
    }
    let plain = Self.descriptor("1", type: Self.image)
    guard case .image = try choice([plain]) else { throw Wrong() }
    #expect(try choice([plain, Self.descriptor("2", type: Self.image)]) == .none([]))
    #expect(try choice([]) == .none([]))
    guard
      case .indexes(let more) = try choice([
        Self.entry("3", "linux/arm64", type: Self.index), Self.descriptor("4", type: Self.index),
      ])
    else { throw Wrong() }
    #expect(more.map { ImageDigest.text($0.digest) } == [Self.digest("4")])
  }
}
