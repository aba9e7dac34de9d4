// Images: their names, their manifests and indexes, and what registries say about accounts.

import Foundation

@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  private static let hex = String(repeating: "0f", count: 32)
  private static let image = "application/vnd.oci.image.manifest.v1+json"
  private static let index = "application/vnd.oci.image.index.v1+json"
  private static let blob = "{\"mediaType\": \"a/b\", \"digest\": \"sha256:\(hex)\", \"size\": 1}"

  static let imageNames = FuzzTarget(
    "names of images",
    words: [
      ":", "/", "@sha256:", hex, "localhost", "127.0.0.1", "[::1]", ":5000", "docker.io", "http://", "//", "..", "_",
      "A",
    ],
    seeds: ["debian:12", "reg.example:5000/a/b:1@sha256:\(hex)", "https://localhost:1/a"]
  ) { (text: String) throws(Violation) in
    for isModel in [false, true] {
      func parse(_ text: String) -> ImageReference? {
        isModel ? try? ImageReference.parse(model: text) : try? ImageReference.parse(text)
      }
      guard let reference = parse(text) else { continue }
      guard let url = reference.manifest(reference.tag ?? "x") else { throw Violation("a name has a URL: \(text)") }
      try hold(url.path.hasPrefix("/v2/\(reference.path)/"), "the URL is of the name: \(url.string)")
      try hold(url.scheme == "https" || ServiceAddress.isLocal(reference.host), "no name leaves this machine in clear")
      try holdPrintable(reference.name, "a name")
      guard let digest = ImageDigest.parse("sha256:\(hex)") else { continue }
      guard let again = parse(reference.pinned(to: digest)) else {
        throw Violation("a pinned name is read: \(reference.pinned(to: digest))")
      }
      try hold(
        again.digest == digest && again.manifest("x") == reference.manifest("x"), "a pin keeps the image: \(text)")
    }
  }

  static let imageManifests = FuzzTarget(
    "manifests of images",
    words: [
      "\"schemaVersion\": 2", "\"manifests\": [", "\"layers\": [", "\"config\": ", blob, "\"size\": ", "\"digest\": ",
      "\"mediaType\": ", "\"\(image)\"", "\"\(index)\"", "sha512:",
      "\"platform\": {\"os\": \"linux\", \"architecture\": \"arm\"}",
      "]", "}", ",", "-1", "9223372036854775807", ".foreign.", "../",
    ],
    seeds: [
      "{\"schemaVersion\": 2, \"config\": \(blob), \"layers\": [\(blob)]}",
      "{\"schemaVersion\": 2, \"mediaType\": \"\(index)\", \"manifests\": [{\"mediaType\": \"\(image)\", \"size\": 2, \"digest\": "
        + "\"sha256:\(hex)\", \"platform\": {\"os\": \"linux\", \"architecture\": \"arm64\", \"variant\": \"v8\"}}]}",
    ].map { Array($0.utf8) }, rounds: 400
  ) { (bytes: [UInt8]) throws(Violation) in
    let document: ImageDocument
    do throws(DocumentError) { document = try ImageDocument.parse(bytes, contentType: nil) } catch {
      return try holdError(error)
    }
    switch document {
    case .index(let descriptors):
      if case .image(let one) = ImageChoice.choose(descriptors, ImagePlatform(os: "linux", architecture: "arm64")) {
        try hold(!one.isAttestation, "an attestation is no image")
      }
    case .image(let manifest):
      guard let reference = try? ImageReference.parse("reg.example/a:1"), let url = reference.manifest("1"),
        let digest = ImageDigest.parse("sha256:\(String(repeating: "1", count: 64))")
      else { return }
      let found = FoundImage(reference, manifest, digest: digest, size: Int64(bytes.count), url: url)
      for home in [ImageHome.layout, .models] {
        guard let answer = try? found.answer("oci", home) else { throw Violation("an image has files") }
        for entry in answer.entries { try holdOffer(entry.file) }
        try hold(Set(answer.entries.map(\.path)).count == answer.entries.count, "a blob is fetched once")
      }
    }
  }

  static let registryAnswers = FuzzTarget(
    "what registries say",
    words: [
      "{", "}", "\"auths\": {", "\"auth\": \"YTpi\"", "\"token\": \"a\"", "\"expires_in\": ", "\"credsStore\": \"a\"",
      "\"credHelpers\": {", "Bearer realm=\"https://a/b\"", "Basic realm=\"", ",", "\\\"", "http://127.0.0.1", "=",
      "1e400",
    ],
    seeds: [
      "{\"auths\": {\"reg.example\": {\"auth\": \"YTpi\"}}, \"credsStore\": \"x\"}",
      "{\"token\": \"a\", \"expires_in\": 60}",
      "Bearer realm=\"https://a.example/t\",service=\"s\",scope=\"repository:a:pull\"",
    ]
  ) { (text: String) throws(Violation) in
    if let token = try? RegistryToken.parse(Array(text.utf8)) {
      try hold(token.life >= 1 && FieldRule.isValue(token.text), "a token can be sent")
    }
    if let accounts = try? RegistryAccounts(text), let reference = try? ImageReference.parse("reg.example/a/b") {
      for case .helper(let name, _) in accounts.places(reference) {
        try hold(!name.contains("/") && !name.isEmpty, "a helper is the name of a program: \(name)")
      }
    }
    let head = ResponseHead(status: 401, fields: [HeaderField("WWW-Authenticate", text)])
    if case .bearer(let realm, _, let scope) = RegistryChallenge.of(head) {
      try hold(["http", "https"].contains(realm.scheme), "a token server speaks HTTP")
      _ = RegistryTokenRequest(realm, service: nil, scope: scope ?? "", account: .password(user: "a", secret: "b"))
    }
  }
}
