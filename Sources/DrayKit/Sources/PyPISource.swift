// Finds Python's packages by name in an index: `pypi:numpy==2.1.0`.

internal import DrayCore
internal import DrayDocuments

/// The packages of an index in the form of PyPI.
struct PyPISource: NamedSource {
  /// The index that pip and uv ask by default.
  static let publicIndex = "https://pypi.org/simple/"
  private static let publicOrigin = (try? RequestURL.parse(publicIndex))?.url.origin

  /// Pages of large projects have tens of thousands of files.
  private static let limit = 64 << 20

  private let machine: WheelMachine

  /// `pypi`.
  var scheme: String { PyPIName.scheme }

  var about: SourceAbout {
    SourceAbout(
      ["pypi:NAME", "pypi:NAME==VERSION", "pypi:NAME==VERSION/PATTERN"],
      "wheels of Python's packages that fit this machine, or that match",
      tokens: "a password in PIP_INDEX_URL, UV_DEFAULT_INDEX or UV_INDEX_URL")
  }

  /// - Parameter machine: The machine for which wheels are chosen.
  init(machine: WheelMachine = .current) { self.machine = machine }

  /// Compares projects and the indexes that the names have.
  func isVersion(_ exact: SourceName, of name: SourceName) -> Bool {
    guard let exact = try? PyPIName(exact.rest), let name = try? PyPIName(name.rest) else { return false }
    return (exact.project, exact.indexes) == (name.project, name.indexes)
  }

  /// The page of a project or of its version: `/project/numpy/2.1.0/`.
  func name(of address: RequestURL) -> SourceName? {
    guard address.origin == PyPISource.publicOrigin else { return nil }
    let parts = address.path.split(separator: "/").map { String($0) }
    guard parts.count == 2 || parts.count == 3, parts[0] == "project" else { return nil }
    return try? PyPIName(parts.count == 3 ? "\(parts[1])==\(parts[2])" : parts[1]).source
  }

  /// The password of the index, sent to its own origin only, where the files may need it, too.
  func fields(for url: RequestURL, _ places: TokenPlaces) -> [HeaderField] {
    guard let index = try? places.packageIndex(), index.url.origin == url.origin else { return [] }
    return index.headers
  }

  /// Asks the indexes in turn: the first one that has the version wins.
  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    let subject = TextSafety.escaped(name.label)
    let wanted: PyPIName
    do throws(DocumentError) { wanted = try PyPIName(name.rest) } catch {
      throw Failure(.usage, subject, error.reason, advice: "write pypi:NAME, pypi:NAME==VERSION or …/PATTERN")
    }
    var miss: PythonProject.Miss?
    let indexes = try indexes(wanted, client.places)
    for index in indexes {
      guard let page = try await page(wanted.project, index, client) else { continue }
      do throws(PythonProject.Miss) {
        return try page.find(wanted, machine)
      } catch {
        miss = miss ?? error
      }
    }
    guard let miss else {
      throw Failure(
        .status, subject, "\(indexes.map(\.url.description).joined(separator: ", ")) has no such package",
        advice: "check the name; PIP_INDEX_URL names another index", httpStatus: 404)
    }
    throw Failure(.usage, subject, miss.reason, advice: miss.advice.map { Advice($0) })
  }

  /// The indexes, in the order to query them.
  private func indexes(_ wanted: PyPIName, _ places: TokenPlaces) throws(Failure) -> [PackageIndex] {
    let own = try places.packageIndex()
    var indexes: [PackageIndex] = []
    for named in wanted.indexes {
      // The password is for the index of the environment, also if the list names that index.
      let headers = own?.url.origin == named.url.origin ? own?.headers ?? [] : []
      indexes.append(PackageIndex(url: named.url, headers: headers))
    }
    if !wanted.indexes.contains(where: { !$0.isExtra }) {
      if let own {
        indexes.insert(own, at: 0)
      } else if let url = try? RequestURL.parse(PyPISource.publicIndex).url {
        indexes.insert(PackageIndex(url: url, headers: []), at: 0)
      }
    }
    return indexes
  }

  /// Loads the page of a project; `nil` if the index has no such project.
  private func page(
    _ project: String, _ index: PackageIndex, _ client: any SourceClient
  ) async throws(Failure) -> PythonProject? {
    guard let url = DocumentURL.resolve(PyPIName.page(of: project), against: index.url) else { return nil }
    var query = SourceQuery(url)
    (query.accept, query.headers) = (PythonProject.accept, index.headers)
    (query.statuses, query.limit) = ([404], PyPISource.limit)
    let response = try await client.send(query)
    guard response.head.status != 404 else { return nil }
    let type = response.head.first("content-type").map { MediaType($0).essence } ?? ""
    let isJSON = type.hasSuffix("json") || response.body.first { $0 > 0x20 } == UInt8(ascii: "{")
    do throws(DocumentError) {
      return try PythonProject.parse(response.body, project: project, base: response.finalURL, isJSON: isJSON)
    } catch {
      throw error.failure(url.description, .protocolViolation)
    }
  }
}
