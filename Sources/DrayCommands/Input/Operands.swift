// Interprets the operands of `get` and `add`: URLs, files of a catalog, Metalink files.

internal import DrayDocuments
internal import DrayKit
internal import Posix

enum Operands {
  /// Reads all inputs that need no request: URLs, lists, local Metalink files.
  /// - Throws: kind `usage`; nothing was changed then.
  static func list(_ arguments: JobArguments, _ surroundings: Surroundings) throws(Failure) -> InputList {
    var list = InputList()
    if arguments.urls.first == "curl" { throw CurlLine.isAnotherCommand }
    if arguments.catalog == nil {
      for text in arguments.urls {
        if isMetalinkFile(text, surroundings) {
          try metalink(text, text, arguments, surroundings, into: &list)
        } else {
          // Without a scheme, the name of the file would be taken for a host.
          if SchemeGuess(text) != nil,
            surroundings.kind(PathText.absolute(text, from: surroundings.currentDirectory)) == .file
          {
            throw OptionValue.bad(
              InputList.place(text), "it is a file here, and a URL would have a scheme",
              advice: "-i reads URLs from it; https://\(TextSafety.escaped(text)) is the host")
          }
          try list.append(typed: text, isPlain: arguments.globoff, output: arguments.output)
        }
      }
    }
    if let file = arguments.inputFile { try read(file, into: &list, surroundings) }
    if let file = arguments.metalinkFile {
      try metalink(file, "--metalink-file", arguments, surroundings, into: &list)
    }
    return list
  }

  /// Returns the jobs of a command line whose inputs all need no request.
  /// - Throws: kind `usage`; nothing was changed then.
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

  /// Returns the jobs of a command line, after all necessary requests to servers.
  /// - Throws: kind `usage` for invalid arguments; the failure to load a catalog or a Metalink file.
  static func gather(
    _ arguments: JobArguments, _ request: RequestArguments, _ surroundings: Surroundings, _ shape: RequestShape = .plain
  ) async throws(Failure) -> SpecificationList {
    var list = try list(arguments, surroundings)
    let template = try JobTemplate(arguments, request, surroundings, shape)
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
    if arguments.metalink { list = try await MetalinkInput.resolve(list, template, arguments) }
    return try SpecificationList(list, template, arguments, surroundings, shape)
  }

  /// Whether an operand is the path of an existing Metalink file.
  static func isMetalinkFile(_ text: String, _ surroundings: Surroundings) -> Bool {
    guard !text.contains("://"), Metalink.isNamed(text) else { return false }
    return surroundings.kind(PathText.absolute(text, from: surroundings.currentDirectory)) == .file
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

  private static func read(_ file: String, into list: inout InputList, _ surroundings: Surroundings) throws(Failure) {
    // -i is curl's --include.
    if file.contains("://"), surroundings.kind(PathText.absolute(file, from: surroundings.currentDirectory)) == .missing
    {
      throw OptionValue.bad(
        "--input-file", "\(OptionValue.quote(URLRedaction.redacted(file))) is not a file of URLs",
        advice: "`dray info URL` prints header fields")
    }
    let bytes = try surroundings.contents(file, "--input-file", limit: Surroundings.longLimit)
    try list.read(bytes, name: file == "-" ? "standard input" : TextSafety.escaped(file))
  }
}
