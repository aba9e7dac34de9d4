// Images: `oci:docker.io/library/debian:12`.

internal import DrayCore
internal import DrayDocuments

/// Images and other artifacts in registries, as OCI image layouts.
struct OCISource: RegistrySource {
  /// `oci`.
  let scheme = "oci"
  let tokens: RegistryTokens

  /// Creates the source. All of this process share their tokens.
  init() { self.init(.shared) }

  init(_ tokens: RegistryTokens) { self.tokens = tokens }

  /// The description in help.
  var about: SourceAbout {
    SourceAbout(
      ["oci:[HOST/]NAME[:TAG|@DIGEST]"],
      "an image or an artifact of a registry (docker.io without HOST), as an OCI image layout; --platform chooses",
      tokens: "the accounts of `docker login` and `skopeo login`, and their credential helpers")
  }

  /// Returns the name of the image that a web page shows; `nil` for other pages.
  func name(of address: RequestURL) -> SourceName? {
    ImageReference.image(at: address).map { SourceName(scheme: scheme, rest: $0) }
  }

  func reference(_ name: SourceName) throws(Failure) -> ImageReference { try .parse(name.rest) }

  /// Finds the files of the image for the client's platform.
  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let reference = try reference(name)
    let session = RegistrySession(reference: reference, client: client, tokens: tokens)
    var image = try await session.image()
    // The URL by the digest stays right when the tag moves.
    image.url = reference.manifest(ImageDigest.text(image.digest)) ?? image.url
    return try image.answer(scheme, .layout)
  }
}
