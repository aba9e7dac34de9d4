// A catalog: a JSON document that maps a service's name and version to its files.

internal import DrayCore

public struct Catalog: Sendable, Equatable {
  public struct Service: Sendable, Equatable {
    public var name: String
    public var description: String?
    /// Highest first.
    public var versions: [(String, OfferedFile)] { ordered.map { ($0.version, $0.file) } }

    var ordered: [Version]

    /// Highest first.
    public var names: [String] { ordered.map(\.version) }
  }

  struct Version: Sendable, Equatable {
    var version: String
    var file: OfferedFile
  }

  /// In the order of the document.
  public var services: [Service]

  /// The reason why a reference leads to no file.
  public enum Miss: Error, Sendable, Equatable {
    /// The nearest name may be meant.
    case service(String, nearest: String?)
    /// `has` are the versions of the service.
    case version(String, of: String, has: [String])
  }

  public struct Found: Sendable, Equatable {
    public var service: String
    public var version: String
    public var file: OfferedFile
  }

  /// Returns the file of `NAME@VERSION`. `NAME` alone means the highest version by ``VersionOrder``.
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
