// Models of Ollama: `ollama:llama3.2:1b`.

public import DrayCore
public import DrayDocuments

/// Models in Ollama's registry, and in others of its kind, as Ollama stores them.
public struct OllamaSource: NamedSource {
  public let scheme = "ollama"
  private let tokens: RegistryTokens

  public init() { self.init(.shared) }

  init(_ tokens: RegistryTokens) { self.tokens = tokens }

  public var about: SourceAbout {
    SourceAbout(
      ["ollama:[NAMESPACE/]NAME[:TAG]"],
      "a model of Ollama; without -d it goes where Ollama looks (OLLAMA_MODELS, else ~/.ollama/models)",
      tokens: "as for oci:")
  }

  public func name(of address: RequestURL) -> SourceName? {
    ImageReference.model(at: address).map { SourceName(scheme: scheme, rest: $0) }
  }

  public func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] {
    tokens.fields(for: url, places)
  }

  public func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let reference = try ImageReference.parse(model: name.rest)
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
