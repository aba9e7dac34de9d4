// The files of an image, and what people call them.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite struct ImageFilesTests {
  private func digest(_ number: UInt8) -> DigestValue {
    DigestValue(.sha256, bytes: Array(repeating: number, count: 32))
  }

  private func titles(_ reference: ImageReference, _ types: [String], _ home: ImageHome) throws -> [String?] {
    let blobs = types.enumerated().map { index, type in
      ImageDescriptor(mediaType: type, digest: digest(UInt8(index + 1)), size: 1)
    }
    let manifest = ImageManifest(mediaType: "application/vnd.oci.image.manifest.v1+json", blobs: blobs, foreign: [])
    let url = try RequestURL.parse("https://h/v2/m").url
    let image = FoundImage(reference, manifest, digest: digest(0xAB), size: 9, url: url)
    return try image.answer("oci", home).entries.map(\.title)
  }

  @Test("blobs are named by their places, and those of models by what they are")
  func names() throws {
    let layer = "application/vnd.oci.image.layer.v1.tar+gzip"
    let config = "application/vnd.oci.image.config.v1+json"
    #expect(
      try titles(try ImageReference.parse("debian:12"), [config, layer, layer], .layout)
        == ["debian:12 config", "debian:12 layer 1/2", "debian:12 layer 2/2", "debian:12 manifest"])
    #expect(
      try titles(try ImageReference.parse("h:5000/a/b@sha256:\(digest(0xAB).hex)"), [config], .layout)
        == ["b:abababababab config", "b:abababababab manifest"])
    let model =
      ["application/vnd.docker.container.image.v1+json"]
      + ["model", "license"].map { "application/vnd.ollama.image.\($0)" }
    #expect(
      try titles(try ImageReference.parse(model: "llama3.2:1b"), model, .models)
        == ["llama3.2:1b config", "llama3.2:1b model", "llama3.2:1b license", "llama3.2:1b manifest"])
  }
}
