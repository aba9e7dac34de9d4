// Sources of files that have names: what each kind implements, and what it may use.

package import DrayCore
package import DrayDocuments

/// A kind of source, which turns names into files.
package protocol NamedSource: Sendable {
  /// The scheme of the names, in lowercase.
  var scheme: String { get }

  /// The description of the source in help.
  var about: SourceAbout { get }

  /// Whether a program of the configuration finds the files. Clients of the service cannot ask such a source.
  var isProgram: Bool { get }

  /// Returns the name that a pasted web address stands for; `nil` for other addresses.
  func name(of address: RequestURL) -> SourceName?

  /// Returns the header fields with tokens for a URL of this source, for an origin that may have them.
  ///
  /// They are added to each request, and never stored with a job. A field that changes from file to file belongs to
  /// `OfferedFile.headers` instead, and is stored.
  func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField]

  /// Returns a refusal of all files of a name with a reason and advice that fit this source.
  /// - Parameters:
  ///   - name: The name with the job's revision.
  ///   - url: The URL that was refused.
  ///   - places: The places of the tokens that were sent.
  func explained(_ refusal: Failure, of name: SourceName, at url: RequestURL, _ places: TokenPlaces) -> Failure

  /// Whether a name can be a version of another one, as far as their texts tell. Both have this source's scheme.
  func isVersion(_ exact: SourceName, of name: SourceName) -> Bool

  /// Finds the files of a name.
  /// - Throws: Kind `usage` for a name that this source cannot have; the failure of its server, with advice.
  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer

  /// Finds the files of a name again, because the link of one of them has expired. The entry with the path of that file
  /// has the new URL; the answer may lack the other files.
  ///
  /// Without an implementation, the source is asked for the pinned name.
  /// - Throws: As ``find(_:_:)``.
  func renew(_ link: ExpiredLink, _ client: any SourceClient) async throws(Failure) -> SourceAnswer
}

extension NamedSource {
  /// A description without details.
  package var about: SourceAbout { SourceAbout(["\(scheme):NAME"], "files of \(scheme)") }
  /// No program is run.
  package var isProgram: Bool { false }
  /// No tokens are needed.
  package func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] { [] }
  /// Returns the refusal unchanged.
  package func explained(_ refusal: Failure, of name: SourceName, at url: RequestURL, _ places: TokenPlaces) -> Failure
  {
    refusal
  }
  /// The texts do not tell.
  package func isVersion(_ exact: SourceName, of name: SourceName) -> Bool { true }
  /// No address is recognised.
  package func name(of address: RequestURL) -> SourceName? { nil }

  /// Asks for the pinned name.
  package func renew(_ link: ExpiredLink, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    try await find(link.name, client)
  }
}

extension NamedSource {
  /// The failure for a name that is malformed for this source. The advice shows the usual form.
  func refusal(of name: SourceName, _ error: DocumentError) -> Failure {
    Failure(
      .usage, name.shown, TextSafety.escaped(error.reason), advice: about.forms.first.map { Advice("write \($0)") })
  }
}

/// A URL that a source gave, and that its server no longer accepts.
package struct ExpiredLink: Sendable, Equatable {
  /// The name with the job's revision (`SourceAnswer.pinned`).
  package var name: SourceName
  /// The job's reference to its source.
  package var reference: SourceReference
  /// The URL.
  package var url: RequestURL
  /// The status of the server's refusal.
  package var status: Int

  /// Creates the link of a job.
  package init(name: SourceName, reference: SourceReference, url: RequestURL, status: Int) {
    (self.name, self.reference, self.url, self.status) = (name, reference, url, status)
  }
}

/// A query of a source to its server.
package struct SourceQuery: Sendable, Equatable {
  /// The URL.
  package var url: RequestURL
  /// The method: GET, HEAD or POST.
  package var method = "GET"
  /// The `Accept` field.
  package var accept = "application/json"
  /// Sent to the origin of ``url`` only, unless a redirect stays there.
  package var headers: [HeaderField] = []
  /// The body of a POST.
  package var body: [UInt8]?
  /// The statuses besides 2xx that the source wants to see. Any other becomes a `Failure`.
  package var statuses: Set<Int> = []
  /// In bytes.
  package var limit = 16 << 20

  /// Creates a GET.
  package init(_ url: RequestURL) {
    self.url = url
  }
}

/// A server's answer to a ``SourceQuery``.
package struct SourceResponse: Sendable {
  /// The head of the answer.
  package var head: ResponseHead
  /// The URL that answered, after redirects.
  package var finalURL: RequestURL
  /// The body.
  package var body: [UInt8]

  /// Creates an answer.
  package init(head: ResponseHead, finalURL: RequestURL, body: [UInt8]) {
    (self.head, self.finalURL, self.body) = (head, finalURL, body)
  }
}

/// The surroundings of a source: its only way to the network, and the owner's environment and files.
package protocol SourceClient: Sendable {
  /// Sends a query, and returns the answer.
  func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse
  /// Where tokens are.
  var places: TokenPlaces { get }
  /// The user's choices where a name stands for several things.
  var choices: SourceChoices { get }
  /// Returns a client whose reports mention a name: the one being looked up.
  func asking(for name: SourceName) -> any SourceClient
}

extension SourceClient {
  /// No choices.
  package var choices: SourceChoices { SourceChoices() }
  /// Nothing is reported.
  package func asking(for name: SourceName) -> any SourceClient { self }
}
