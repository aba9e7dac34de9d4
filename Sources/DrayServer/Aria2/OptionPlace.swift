// The place of a job's file, from the options `--dir` and `--out`. This code only checks that a path does not lead
// upwards; another part of the server checks the allowed directories.

internal import DrayCore
internal import DrayDocuments

/// A directory, and a path below it.
struct OptionPlace: Sendable, Equatable {
  private let directory: String
  private let below: [String]

  /// Reads the two options; `nil` or an empty text means that an option was not given.
  /// - Parameter base: The default directory, below which a relative directory lies.
  /// - Throws: The error that aria2 has for a path that leads upwards or is invalid.
  init(directory: String?, output: String?, base: String) throws(RPCFailure) {
    func bad(_ option: String) -> RPCFailure {
      .refused("We encountered a problem while processing the option '--\(option)'.")
    }
    if let directory, ObjectPlace.isMeant(by: directory) {
      guard let place = try? ObjectPlace(parsing: directory) else { throw bad("dir") }
      self.directory = place.path
    } else if let directory, !directory.isEmpty {
      let parts = directory.split(separator: "/")
      guard !parts.contains(".."), !directory.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        throw bad("dir")
      }
      let below = parts.filter { $0 != "." }.joined(separator: "/")
      self.directory = directory.hasPrefix("/") ? "/" + below : below.isEmpty ? base : PathText.join(base, below)
    } else {
      self.directory = base
    }
    if let output, !output.isEmpty {
      guard let path = DocumentPath.safe(output) else { throw bad("out") }
      below = path.split(separator: "/").map(String.init)
    } else {
      below = []
    }
  }

  func apply(to specification: inout JobSpecification) {
    // In the part of the path that a client names, symbolic links are not trusted (P6).
    let place = DirectoryPlace(base: directory, below: below.dropLast().joined(separator: "/"))
    (specification.directory, specification.foreignDepth) = (place.path, place.foreignDepth)
    specification.output = below.last
  }
}
