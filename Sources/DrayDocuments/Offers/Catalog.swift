// A catalog: a JSON document that maps a service's name and version to its files.

internal import DrayCore

package struct Catalog: Sendable, Equatable {
  package struct Service: Sendable, Equatable {
    package var name: String
    package var description: String?
    /// Highest first.
    package var versions: [(String, OfferedFile)] { ordered.map { ($0.version, $0.file) } }

    var ordered: [Version]

    /// Highest first.
    package var names: [String] { ordered.map(\.version) }
  }

  struct Version: Sendable, Equatable {
    var version: String
    var file: OfferedFile
  }

  /// In the order of the document.
  package var services: [Service]

  /// The reason why a reference leads to no file.
  package enum Miss: Error, Sendable, Equatable {
    /// The nearest name may be meant.
    case service(String, nearest: String?)
    /// `has` are the versions of the service.
    case version(String, of: String, has: [String])
  }

  package struct Found: Sendable, Equatable {
    package var service: String
    package var version: String
    package var file: OfferedFile
  }

  /// Returns the file of `NAME@VERSION`. `NAME` alone means the highest version by ``VersionOrder``.
  /// - Throws: ``Miss``.
  package func find(_ reference: String) throws(Miss) -> Found {
    var (name, version) = (reference, String?.none)
    if !services.contains(where: { $0.name == reference }), let mark = reference.lastIndex(of: "@"),
      mark > reference.startIndex
    {
      (name, version) = (String(reference[..<mark]), String(reference[reference.index(after: mark)...]))
    }
    guard let service = services.first(where: { $0.name == name }) else {
      throw .service(name, nearest: NearestName.find(name, among: services.map(\.name)))
    }
    guard let found = version.map({ wanted in service.ordered.first { $0.version == wanted } }) ?? service.ordered.first
    else { throw .version(version ?? "", of: name, has: service.names) }
    return Found(service: name, version: found.version, file: found.file)
  }
}
