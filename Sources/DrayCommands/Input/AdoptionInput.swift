// `--adopt`: continues a partial file that another program began.

internal import DrayKit

enum AdoptionInput {
  /// Reads the partial file, and adds it to the only URL of `list`.
  /// - Throws: Kind `usage` if the file cannot be adopted, or if the request cannot continue a file.
  static func add(
    _ arguments: JobArguments, to list: inout InputList, _ shape: RequestShape, _ surroundings: Surroundings
  ) throws(Failure) {
    guard let path = arguments.adopt else { return }
    guard !path.isEmpty else { throw OptionValue.bad("--adopt", "it is empty: name a file") }
    guard list.entries.count == 1, let url = list.entries.first?.url else {
      throw OptionValue.bad("--adopt", "it is for one file, and there are \(list.entries.count): name one URL")
    }
    guard shape.isSafe else {
      throw OptionValue.bad("--adopt", "the answer to a request that sends data is never continued: omit it")
    }
    guard Scheme(url)?.speaksHTTP ?? false else {
      throw OptionValue.bad(
        "--adopt", "parts of a file can be compared over HTTP only, and this is a URL of \(url.scheme): omit it")
    }
    guard ![arguments.dir, arguments.output].contains(where: { $0.map { ObjectPlace.isMeant(by: $0) } ?? false }) else {
      throw OptionValue.bad("--adopt", "a file of this machine cannot become an object: omit it")
    }
    guard arguments.resume != .never else {
      throw OptionValue.bad("--adopt", "--resume never forbids it: omit one of them")
    }
    guard !arguments.ifChanged else {
      throw OptionValue.bad("--adopt", "--if-changed compares the target as a whole: omit one of them")
    }
    let adopted = try Adoption.look(at: surroundings.absolute(path))
    list.changeLast { $0.adopts = adopted }
  }
}
