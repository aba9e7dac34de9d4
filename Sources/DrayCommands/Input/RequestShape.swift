// Turns the options for the data to send into the shape of a request: its method, its body, and what is added to the
// URL. All options are checked, and nothing is sent.

internal import DrayKit
internal import FoundationEssentials

struct RequestShape: Sendable {
  static let plain = RequestShape()

  var method: String?
  var source: RequestBodySource?
  /// The value of the field `Accept`, unless the user gives another.
  var accept: String?
  /// The parameters that are added to the query.
  var query: [(name: String, value: String?)] = []
  /// A further part of the query, which is already encoded.
  var encodedQuery: [UInt8] = []
  /// The file name that is added to a URL that ends with a slash.
  var uploadName: String?
  /// The redirect statuses after which a POST stays a POST. If there are none, dray behaves as browsers do.
  private var keepsMethodAfter: Set<Int> = []

  private init() {}

  /// Checks the options.
  /// - Throws: Kind `usage` with the name of the option.
  init(_ arguments: BodyArguments, _ surroundings: Surroundings, readsListFromInput: Bool = false) throws(Failure) {
    let path = { (text: String, option: String) throws(Failure) -> String in
      try surroundings.checkSource(text, option)
    }
    query = try arguments.query.map { (text) throws(Failure) in try RequestShape.parameter(text) }
    let kept = [(301, arguments.post301), (302, arguments.post302), (303, arguments.post303)]
    keepsMethodAfter = Set(kept.filter(\.1).map(\.0))
    let kinds = RequestShape.kinds(arguments)
    guard kinds.count < 2 else {
      throw OptionValue.bad(
        kinds.joined(separator: " and "), "a request has only one body: choose one of them")
    }
    var readers = RequestShape.standardInputs(arguments)
    if readsListFromInput { readers.append("--input-file -") }
    guard readers.count < 2 else {
      throw OptionValue.bad(readers.joined(separator: " and "), "standard input can be read only once")
    }
    // Standard input is read later, when the body is copied to a file, and not through `surroundings`. It is reserved
    // here nevertheless, so that no other option reads it.
    if let reader = readers.first, !readsListFromInput, !arguments.get, arguments.jsonBody != "@-",
      arguments.plistBody != "@-"
    {
      try surroundings.input.reserve(reader)
    }
    let data = try FormData.pieces(arguments, path: path)
    if arguments.get {
      guard kinds.isEmpty || !data.isEmpty else {
        throw OptionValue.bad("--get", "it puts --data into the query, but only \(kinds.joined()) is given")
      }
      encodedQuery = try RequestShape.collected(data, surroundings)
    } else if !data.isEmpty {
      source = .pieces(data, contentType: FormEncoding.contentType)
    }
    try takeOther(arguments, surroundings, path)
    method = try RequestShape.method(arguments.request) ?? (arguments.uploadFile != nil ? "PUT" : nil)
    if method == nil, source != nil { method = "POST" }
    if method == "HEAD" {
      throw OptionValue.bad("--request", "HEAD fetches no file: use `dray info`, or `dray get -I`")
    }
  }

  private mutating func takeOther(
    _ arguments: BodyArguments, _ surroundings: Surroundings, _ path: (String, String) throws(Failure) -> String
  ) throws(Failure) {
    let parts =
      try arguments.form.map { (text) throws(Failure) in
        try FormPart.parse(text) { (file) throws(Failure) in try path(file, "--form") }
      } + arguments.formString.map { (text) throws(Failure) in try FormPart.text(text) }
    if !parts.isEmpty { source = .multipart(parts) }
    if let text = arguments.jsonBody {
      source = .json(Data(try surroundings.text(text, "--json-body")))
      accept = "application/json"
    }
    if let text = arguments.plistBody { source = .propertyList(Data(try surroundings.text(text, "--plist-body"))) }
    if let file = arguments.uploadFile {
      source = .content(file == "-" ? .descriptor(0) : .file(try path(file, "--upload-file")), contentType: nil)
      uploadName = file == "-" ? nil : PathText.split(file).name
    }
    try source?.check()
  }

  /// Returns the URL with everything that the options add to it.
  /// - Throws: Kind `usage` if the URL becomes too long.
  func url(_ url: RequestURL) throws(Failure) -> RequestURL {
    do throws(URLParseError) {
      var url = url
      if let uploadName { url = try url.appending(fileName: uploadName) }
      for (name, value) in query { url = try url.appending(queryName: name, value: value) }
      return try url.appending(encodedQuery: encodedQuery)
    } catch {
      throw OptionValue.bad("--query", error.message)
    }
  }

  /// Whether the options add anything to a URL.
  var changesURLs: Bool { uploadName != nil || !query.isEmpty || !encodedQuery.isEmpty }

  /// Whether dray may repeat the request on its own (P10).
  var isSafe: Bool { method ?? "GET" == "GET" && source == nil }

  /// Applies to a request everything that does not depend on its URL.
  func apply(to request: inout TransferRequest, body: RequestBody?) {
    request.method = method ?? "GET"
    request.body = body
    if !keepsMethodAfter.isEmpty {
      var redirects = request.redirects ?? RedirectOptions()
      redirects.keepsMethodAfter = keepsMethodAfter
      request.redirects = redirects
    }
    func given(_ name: String) -> Int? { request.headers.firstIndex { $0.name.lowercased() == name } }
    if let accept, given("accept") == nil { request.headers.append(HeaderField("Accept", accept)) }
    // The media type belongs to the body and is sent only together with it.
    if body != nil, let index = given("content-type") {
      let value = request.headers.remove(at: index).value
      request.body?.contentType = value.isEmpty ? nil : value
    }
  }

  private static func parameter(_ text: String) throws(Failure) -> (name: String, value: String?) {
    guard let equals = text.firstIndex(of: "=") else { return (text, nil) }
    guard equals > text.startIndex else {
      throw OptionValue.bad("--query", "a parameter needs a name: write it like name=value")
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  private static func kinds(_ arguments: BodyArguments) -> [String] {
    let hasData =
      !(arguments.data.isEmpty && arguments.dataRaw.isEmpty && arguments.dataBinary.isEmpty
      && arguments.dataUrlencode.isEmpty)
    let kinds: [(String, Bool)] = [
      ("--data", hasData), ("--form", !(arguments.form.isEmpty && arguments.formString.isEmpty)),
      ("--json-body", arguments.jsonBody != nil), ("--plist-body", arguments.plistBody != nil),
      ("--upload-file", arguments.uploadFile != nil),
    ]
    return kinds.filter(\.1).map(\.0)
  }

  /// Returns the options that read standard input.
  private static func standardInputs(_ arguments: BodyArguments) -> [String] {
    var found: [String] = []
    found += (arguments.data + arguments.dataBinary).filter { $0 == "@-" }.map { _ in "--data @-" }
    found += arguments.dataUrlencode.filter { text in
      guard let mark = text.firstIndex(where: { $0 == "=" || $0 == "@" }) else { return false }
      return text[mark...] == "@-"
    }.map { _ in "--data-urlencode @-" }
    found += arguments.form.filter { text in
      let content = text.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }
      return content == "@-" || content == "<-"
    }.map { _ in "--form @-" }
    if arguments.jsonBody == "@-" { found.append("--json-body @-") }
    if arguments.plistBody == "@-" { found.append("--plist-body @-") }
    if arguments.uploadFile == "-" { found.append("--upload-file -") }
    return found
  }

  private static func method(_ text: String?) throws(Failure) -> String? {
    guard let text else { return nil }
    guard text.utf8.count <= 40, FieldRule.isToken(text.utf8) else {
      throw OptionValue.bad("--request", "\(OptionValue.quote(text)) is not a method: write it like POST")
    }
    guard !["CONNECT", "TRACE"].contains(text.uppercased()) else {
      throw OptionValue.bad("--request", "\(text) does not fetch files")
    }
    // Methods are case-sensitive (RFC 9110 §9.1), and the usual ones are in upper case.
    let usual = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
    return usual.contains(text.uppercased()) ? text.uppercased() : text
  }

  /// Returns the content of the pieces, to be used as a query.
  private static func collected(_ pieces: [BodyPiece], _ surroundings: Surroundings) throws(Failure) -> [UInt8] {
    var all: [UInt8] = []
    for piece in pieces {
      var bytes: [UInt8]
      switch piece.content {
      case .text(let text): bytes = Array(text.utf8)
      case .bytes(let own): bytes = own
      case .file(let path): bytes = try surroundings.contents(path, "--data")
      case .descriptor: bytes = try surroundings.standardInput("--data")
      case .stream: bytes = []
      }
      if piece.filter == .withoutLineEnds { bytes.removeAll { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }
      all += piece.filter == .formEncoded ? FormEncoding.encoded(bytes) : bytes
    }
    return all
  }
}
