// `--seed` and `--zsync`: local files that share blocks with the wanted file, and the control file with its checksums.

internal import DrayKit
internal import Posix

enum SeedInput {
  /// Returns the seeds that a command line gives; `nil` if it gives none.
  /// - Throws: Kind `usage` if a file does not exist, or if the request cannot use seeds.
  static func seeding(
    _ arguments: JobArguments, _ shape: RequestShape, _ surroundings: Surroundings
  ) throws(Failure) -> Seeding? {
    guard !arguments.seed.isEmpty || arguments.zsync != nil else { return nil }
    let option = arguments.seed.isEmpty ? "--zsync" : "--seed"
    guard shape.isSafe else {
      throw OptionValue.bad(option, "the answer to a request that sends data is never put together: omit it")
    }
    guard ![arguments.dir, arguments.output].contains(where: { $0.map { ObjectPlace.isMeant(by: $0) } ?? false }) else {
      throw OptionValue.bad(option, "a file of this machine cannot become an object: omit it")
    }
    guard arguments.resume != .never else {
      throw OptionValue.bad(option, "--resume never forbids it: omit one of them")
    }
    var files: [String] = []
    for text in arguments.seed {
      // Resolve links now; later, only a regular file is opened.
      let path = surroundings.absolute(text)
      guard !text.isEmpty, surroundings.kind(path) == .file else {
        let what = surroundings.kind(path) == .missing || text.isEmpty ? "no such file" : "it is not a regular file"
        throw OptionValue.bad("--seed \(TextSafety.escaped(text))", what)
      }
      files.append(surroundings.realPath(path) ?? path)
    }
    return Seeding(files: files, control: try control(arguments.zsync, surroundings))
  }

  private static func control(_ text: String?, _ surroundings: Surroundings) throws(Failure) -> String? {
    guard let text else { return nil }
    guard text.contains("://") else {
      let path = surroundings.absolute(text)
      guard !text.isEmpty, surroundings.kind(path) == .file else {
        throw OptionValue.bad("--zsync \(TextSafety.escaped(text))", "no such file")
      }
      return surroundings.realPath(path) ?? path
    }
    let shown = "--zsync \(OptionValue.quote(URLRedaction.redacted(text)))"
    let url: RequestURL
    do throws(URLParseError) { url = try RequestURL.parse(text).url } catch {
      throw OptionValue.bad(shown, error.message)
    }
    guard Scheme(url)?.speaksHTTP ?? false else {
      throw OptionValue.bad(shown, "control files are fetched over http and https, or read from a file")
    }
    return url.string
  }
}
