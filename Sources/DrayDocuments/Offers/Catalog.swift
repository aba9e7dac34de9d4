// A catalog: a JSON document that maps a service's name and version to its files.

internal import DrayCore

/// The contents of a catalog.
public struct Catalog: Sendable, Equatable {
  /// A service, which has versions.
  public struct Service: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// A description for people.
    public var description: String?
    /// The versions, highest first.
    public var versions: [(String, OfferedFile)] { ordered.map { ($0.version, $0.file) } }

    var ordered: [Version]

    /// The names of the versions, highest first.
    public var names: [String] { ordered.map(\.version) }
  }

  struct Version: Sendable, Equatable {
    var version: String
    var file: OfferedFile
  }

  /// The services, in the order of the document.
  public var services: [Service]

  /// The reason why a reference leads to no file.
  public enum Miss: Error, Sendable, Equatable {
    /// The catalog has no service with this name. The nearest name may be meant.
    case service(String, nearest: String?)
    /// The service does not have this version. The others are in `has`.
    case version(String, of: String, has: [String])
  }

  /// A file, with the service and version that lead to it.
  public struct Found: Sendable, Equatable {
    /// The name of the service.
    public var service: String
    /// The version.
    public var version: String
    /// The file.
    public var file: OfferedFile
  }

  /// Returns the file of `NAME@VERSION`. `NAME` means its highest version by ``VersionOrder``.
  /// - Throws: ``Miss``.
  public func find(_ reference: String) throws(Miss) -> Found {
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
