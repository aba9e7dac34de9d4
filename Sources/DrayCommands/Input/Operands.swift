// Finds out what the operands of `dray get` and `dray add` are: URLs, files of a catalog, Metalink files, or lists of
// other programs.

internal import DrayDocuments
internal import DrayKit
internal import Posix

enum Operands {
  /// Reads all inputs that can be read without a request: URLs, lists, Metalink files on this machine.
  /// - Throws: Kind `usage`; nothing has been changed at that point.
  static func list(_ arguments: JobArguments, _ surroundings: Surroundings) throws(Failure) -> InputList {
    var list = InputList()
    if arguments.urls.first == "curl" { throw CurlLine.isAnotherCommand }
    let names = try names(arguments, surroundings)
    if arguments.catalog == nil {
      for (index, text) in arguments.urls.enumerated() {
        if isMetalinkFile(text, surroundings) {
          try metalink(text, text, arguments, surroundings, into: &list)
        } else if try readList(text, arguments, surroundings, into: &list) {
          continue
        } else {
          try refuseFile(text, surroundings)
          try list.append(
            typed: text, isPlain: arguments.globoff, output: names?[index] ?? arguments.output, isOwn: names != nil)
        }
      }
    }
    if let file = arguments.inputFile { try read(file, arguments, into: &list, surroundings) }
    if let file = arguments.metalinkFile {
      try metalink(file, "--metalink-file", arguments, surroundings, into: &list)
    }
    return list
  }

  /// Returns the jobs of a command line if all its inputs can be read without a request.
  /// - Throws: Kind `usage`; nothing has been changed at that point.
  static func specifications(
    _ arguments: JobArguments, _ request: RequestArguments, _ surroundings: Surroundings,
    _ shape: RequestShape = .plain
  ) throws(Failure) -> SpecificationList {
    guard arguments.inputFile != "-" || !request.authentication.passwordStdin else {
      throw OptionValue.bad("-i - and --password-stdin", "both read standard input: use a file for one of them")
    }
    let list = try list(arguments, surroundings)
    let template = try JobTemplate(arguments, request, surroundings, shape)
    return try SpecificationList(list, template, arguments, surroundings, shape)
  }

  /// Returns the jobs of a command line, after all requests that are needed to find them.
  /// - Parameters:
  ///   - filter: Selects files of sources.
  ///   - isQuiet: Whether to print nothing while sources are queried (`-q`).
  /// - Throws: Kind `usage` for invalid arguments; the failure if a catalog, a Metalink file or the files of a name
  ///   cannot be loaded.
  static func gather(
    _ arguments: JobArguments, _ request: RequestArguments, _ surroundings: Surroundings,
    _ shape: RequestShape = .plain, filter: TreeFilter = TreeFilter(), isQuiet: Bool = false
  ) async throws(Failure) -> SpecificationList {
    let arguments = try await arguments.inQueueDirectory()
    var list = try list(arguments, surroundings)
    var template = try JobTemplate(arguments, request, surroundings, shape)
    try await template.hosts.readQueues(arguments)
    if let catalog = arguments.catalog {
      guard !arguments.urls.isEmpty else {
        throw OptionValue.bad("--catalog", "no service is named", advice: "write NAME or NAME@VERSION")
      }
      let source = try await CatalogSource.load(catalog, template.request, surroundings)
      for reference in arguments.urls {
        let found = try source.find(reference)
        try list.append(
          found.file, home: source.home, keepsName: arguments.output == nil,
          place: "\(source.name): \(TextSafety.escaped(reference))")
      }
    }
    list = try await SourceInput(template, shape, filter, surroundings, isQuiet: isQuiet).resolve(list, arguments)
    list = try await SeedDocuments.resolve(list, template, arguments)
    if arguments.metalink { list = try await MetalinkInput.resolve(list, template, arguments) }
    return try SpecificationList(list, template, arguments, surroundings, shape)
  }

  /// Returns the names if `-o` was given several times: one for each URL in order, as in curl. Returns `nil` if it was
  /// given at most once.
  /// - Throws: Kind `usage` if the number of names does not match the URLs.
  private static func names(_ arguments: JobArguments, _ surroundings: Surroundings) throws(Failure) -> [String]? {
    let (names, urls) = (arguments.outputs, arguments.urls)
    guard names.count > 1 else { return nil }
    let areURLs = !urls.contains { isMetalinkFile($0, surroundings) } && arguments.catalog == nil
    guard areURLs, names.count == urls.count, arguments.inputFile == nil, arguments.metalinkFile == nil else {
      throw OptionValue.bad(
        "-o", urls.count == 1 ? "several for one URL" : "\(names.count) names for \(urls.count) URLs",
        advice: "give one for each URL, use -d, or out= in a list")
    }
    for name in names {
      guard OutputDescriptor.of(name, dir: arguments.dir, base: surroundings.currentDirectory) == nil else {
        throw OptionValue.bad("-o \(TextSafety.escaped(name))", "it takes one file: name one URL")
      }
    }
    return names
  }

  static func isMetalinkFile(_ text: String, _ surroundings: Surroundings) -> Bool {
    Metalink.isNamed(text) && isFile(text, surroundings)
  }

  private static func isFile(_ text: String, _ surroundings: Surroundings) -> Bool {
    !text.contains("://") && surroundings.kind(surroundings.absolute(text)) == .file
  }

  /// Refuses an operand that is a file on this machine. Because the operand has no scheme, its name would be taken for
  /// the name of a host.
  private static func refuseFile(_ text: String, _ surroundings: Surroundings) throws(Failure) {
    guard isFile(text, surroundings) else { return }
    let advice: Advice =
      text.hasSuffix(".torrent") ? "dray does not speak BitTorrent; aria2 does" : "-i reads URLs from it"
    throw OptionValue.bad(InputList.place(text), "it is a file here", advice: advice)
  }

  /// Reads an operand that is a list of another program on this machine.
  /// - Returns: Whether the operand is one.
  private static func readList(
    _ text: String, _ arguments: JobArguments, _ surroundings: Surroundings, into list: inout InputList
  ) throws(Failure) -> Bool {
    guard isFile(text, surroundings),
      case .success(let bytes) = surroundings.read(surroundings.absolute(text), Surroundings.limit + 1),
      bytes.count <= Surroundings.limit
    else { return false }
    return try list.read(
      list: bytes, at: text, name: TextSafety.escaped(text), keepsName: arguments.output == nil, surroundings)
  }

  private static func metalink(
    _ path: String, _ option: String, _ arguments: JobArguments, _ surroundings: Surroundings,
    into list: inout InputList
  ) throws(Failure) {
    let bytes = try surroundings.contents(path, option)
    let place = TextSafety.escaped(path)
    let document: Metalink
    do throws(DocumentError) { document = try Metalink.parse(bytes, base: nil) } catch { throw error.failure(place) }
    MetalinkInput.report(document.remarks, place)
    try MetalinkInput.add(document.files, home: nil, arguments, place: place, into: &list)
  }

  private static func read(
    _ file: String, _ arguments: JobArguments, into list: inout InputList, _ surroundings: Surroundings
  ) throws(Failure) {
    // The user probably meant the -i of curl, which is --include.
    if file.contains("://"), surroundings.kind(surroundings.absolute(file)) == .missing {
      throw OptionValue.bad(
        "--input-file", "\(OptionValue.quote(URLRedaction.redacted(file))) is not a file of URLs",
        advice: "`dray info URL` prints header fields")
    }
    let bytes = try surroundings.contents(file, "--input-file", limit: Surroundings.longLimit)
    let name = file == "-" ? "standard input" : TextSafety.escaped(file)
    do throws(Failure) {
      let isForeign = try list.read(
        list: bytes, at: file == "-" ? nil : file, name: name, keepsName: arguments.output == nil, surroundings)
      if !isForeign { try list.read(bytes, name: name) }
    } catch {
      // In a long list, thousands of good lines may precede a wrong one, so the error says that nothing was added.
      var failure = error
      failure.advice = failure.advice.map { "\($0); nothing was queued" } ?? "nothing was queued"
      throw failure
    }
  }
}
