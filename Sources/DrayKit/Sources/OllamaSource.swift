// Models of Ollama: `ollama:llama3.2:1b`.

internal import DrayCore
internal import DrayDocuments

/// Models in Ollama's registry, and in others of its kind, as Ollama stores them.
struct OllamaSource: RegistrySource {
  /// `ollama`.
  let scheme = "ollama"
  let tokens: RegistryTokens

  /// Creates the source. All of this process share their tokens.
  init() { self.init(.shared) }

  init(_ tokens: RegistryTokens) { self.tokens = tokens }

  /// The description in help.
  var about: SourceAbout {
    SourceAbout(
      ["ollama:[NAMESPACE/]NAME[:TAG]"],
      "a model of Ollama; without -d it goes where Ollama looks (OLLAMA_MODELS, else ~/.ollama/models)",
      tokens: "as for oci:")
  }

  /// Returns the name of the model that a web page shows; `nil` for other pages.
  func name(of address: RequestURL) -> SourceName? {
    ImageReference.model(at: address).map { SourceName(scheme: scheme, rest: $0) }
  }

  func reference(_ name: SourceName) throws(Failure) -> ImageReference { try .parse(model: name.rest) }

  /// Finds the files of the model for the client's platform.
  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let reference = try reference(name)
    let image = try await RegistrySession(reference: reference, client: client, tokens: tokens).image()
    var answer = try image.answer(scheme, .models)
    answer.directory = client.places.ollamaModels
    return answer
  }
}

extension TokenPlaces {
  /// The directory in which Ollama keeps models of this user; `nil` if the home directory is unknown.
  var ollamaModels: String? {
    if let path = variable("OLLAMA_MODELS"), path.hasPrefix("/") { return path }
    return home.map { PathText.join($0, ".ollama/models") }
  }
}
