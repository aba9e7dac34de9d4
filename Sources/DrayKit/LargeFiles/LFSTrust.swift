// How to check the certificates of servers by git's settings: separately for each server, because an exception for one
// server says nothing about another.

internal import DrayDocuments

/// The checks of the servers with the objects of one repository.
actor LFSTrust {
  private let git: GitRepository
  private var known: [Origin: ServerTrust?]

  /// The maximum number of servers that are remembered.
  private static let most = 1000

  /// - Parameter known: The checks for servers whose settings were already read.
  init(_ git: GitRepository, knowing known: [Origin: ServerTrust?] = [:]) { (self.git, self.known) = (git, known) }

  /// Returns how the server of a URL is checked; `nil` if as the system does it.
  func check(of url: RequestURL) async -> ServerTrust? {
    if let found = known[url.origin] { return found }
    // The rest of the URL may have secrets, and git would get it as an argument.
    guard let root = try? RequestURL.parse("\(url.origin)/").url else { return nil }
    let found = await git.webSettings(root).trust
    if known.count >= LFSTrust.most { known = [:] }
    known[url.origin] = .some(found)
    return found
  }

  /// Returns a request to a URL, with the checks for its server.
  func request(_ template: TransferRequest, to url: RequestURL) async -> TransferRequest {
    let trust = await check(of: url)
    var request = template
    request.url = url
    (request.caFile, request.isInsecure) = (trust?.caFile, trust?.isInsecure ?? false)
    return request
  }

  /// Lets the checks, also those of the system, replace the checks that an existing job has for an earlier server.
  static func giveChecks(of job: inout JobSpecification) {
    let set = Setting.all.filter { [job] in !$0.isUnset(in: job) }.map(\.name)
    job.given = Set(set).union(["cacert", "insecure"])
  }
}

extension GitSettings {
  /// How these settings of requests to a URL want its server to be checked; `nil` if as the system does it.
  var trust: ServerTrust? {
    ServerTrust(caFile: self["http.sslcainfo"], isInsecure: self["http.sslverify"] == "false")
  }
}
