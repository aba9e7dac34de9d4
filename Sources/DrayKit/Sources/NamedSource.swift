// Sources of files that have names: what each kind implements, and what it may use.

public import DrayCore
public import DrayDocuments

/// A kind of source, which turns names into files.
public protocol NamedSource: Sendable {
  /// The scheme of the names, in lowercase.
  var scheme: String { get }

  /// The description of the source in help.
  var about: SourceAbout { get }

  /// Whether a program of the configuration finds the files. Clients of the service cannot ask such a source.
  var isProgram: Bool { get }

  /// Returns the name that a pasted web address stands for; `nil` for other addresses.
  func name(of address: RequestURL) -> SourceName?

  /// Finds the files of a name.
  ///
  /// A job whose link has expired is served by this function as well: it is called with the pinned name, and the entry
  /// with the path of the job has the new URL.
  /// - Throws: Kind `usage` for a name that this source cannot have; the failure of its server, with advice.
  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer
}

extension NamedSource {
  public var about: SourceAbout { SourceAbout(["\(scheme):NAME"], "files of \(scheme)") }
  public var isProgram: Bool { false }
  public func name(of address: RequestURL) -> SourceName? { nil }
}

/// What a source may ask its server.
public struct SourceQuery: Sendable, Equatable {
  public var url: RequestURL
  public var method = "GET"
  public var accept = "application/json"
  /// Sent to the origin of ``url`` only, unless a redirect stays there.
  public var headers: [HeaderField] = []
  public var body: [UInt8]?
  /// The statuses besides 2xx that the source wants to see. Any other becomes a `Failure`.
  public var statuses: Set<Int> = []
  /// In bytes.
  public var limit = 16 << 20

  public init(_ url: RequestURL) {
    self.url = url
  }
}

/// A server's answer to a ``SourceQuery``.
public struct SourceResponse: Sendable {
  public var head: ResponseHead
  /// The URL that answered, after redirects.
  public var finalURL: RequestURL
  public var body: [UInt8]

  public init(head: ResponseHead, finalURL: RequestURL, body: [UInt8]) {
    (self.head, self.finalURL, self.body) = (head, finalURL, body)
  }
}

/// The surroundings of a source: its only way to the network, and the owner's environment and files.
public protocol SourceClient: Sendable {
  func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse
  /// Where tokens are.
  var places: TokenPlaces { get }
  /// What the user wants of a name that stands for several things.
  var choices: SourceChoices { get }
}

extension SourceClient {
  public var choices: SourceChoices { SourceChoices() }
}
