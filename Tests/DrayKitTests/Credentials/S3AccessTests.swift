// The keys that sign a request for S3, and its server and region.

import DrayCore
import DrayKit
import Foundation
import Testing

@Suite struct S3AccessTests {
  static let keys = ["AWS_ACCESS_KEY_ID": "AKENV", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token"]

  /// Completes a request in a home with these profile files.
  private func complete(
    _ environment: [String: String], _ options: S3Options = S3Options(), url: String = "s3://files/a",
    change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> TransferRequest {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(
      at: home.appendingPathComponent(".aws"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let keys = "aws_secret_access_key=s\naws_access_key_id"
    try Data("[default]\n\(keys)=AKDEF\n[own]\n\(keys)=AKOWN\n[role]\nrole_arn=x\n".utf8)
      .write(to: home.appendingPathComponent(".aws/credentials"))
    let work = "[profile work]\nregion=eu-west-2\nendpoint_url=http://h\n"
    try Data("[default]\nregion=eu-west-1\n\(work)[profile own]\nca_bundle=/p/ca.pem\n".utf8)
      .write(to: home.appendingPathComponent(".aws/config"))
    var request = TransferRequest(url: try RequestURL.parse(url).url)
    change(&request)
    return try request.completed(
      AccessOptions(s3: options), environment: environment.merging(["HOME": home.path]) { own, _ in own })
  }

  @Test func theEnvironmentGoesBeforeTheDefaultProfile() throws {
    let request = try complete(Self.keys)
    #expect(request.credentials == Credentials(user: "AKENV", password: "secret"))
    #expect(request.signature?.sessionToken == "token" && request.signature?.profile == nil)
    #expect(request.signature?.region == "eu-west-1")
  }

  @Test func keysOfAProfileAreNotStored() throws {
    let request = try complete([:])
    #expect(request.credentials == nil && request.signature?.profile == "default")
    #expect(request.signature?.profileFiles?.count == 2)
  }

  @Test func theUserGoesBeforeAll() throws {
    let request = try complete(Self.keys) { $0.credentials = Credentials(user: "me", password: "p") }
    #expect(request.credentials?.user == "me" && request.signature?.sessionToken == nil)
  }

  @Test func anonymousMeansIt() throws {
    var options = S3Options()
    options.isAnonymous = true
    let request = try complete(Self.keys, options)
    #expect(request.credentials == nil && request.signature?.profile == nil)
  }

  @Test(
    arguments: [
      (["AWS_REGION": "r1", "AWS_DEFAULT_REGION": "r2"], "r1", nil), (["AWS_DEFAULT_REGION": "r2"], "r2", nil),
      (["AWS_ENDPOINT_URL": "http://a", "AWS_ENDPOINT_URL_S3": "http://b"], "eu-west-1", "http://b/"),
      (["AWS_ENDPOINT_URL": "http://a"], "eu-west-1", "http://a/"),
      (["AWS_SHARED_CREDENTIALS_FILE": "/missing", "AWS_CONFIG_FILE": "/missing"], "us-east-1", nil),
    ] as [([String: String], String, String?)])
  func regionsAndServers(environment: [String: String], region: String, endpoint: String?) throws {
    let signature = try #require(complete(environment).signature)
    #expect(signature.region == region && signature.endpoint?.string == endpoint)
  }

  @Test(
    "the environment names the certificates to trust, then the profile",
    arguments: [
      ([:], nil, nil), (["AWS_CA_BUNDLE": "/e/ca.pem"], nil, "/e/ca.pem"), (["AWS_PROFILE": "own"], nil, "/p/ca.pem"),
      ([:], "own", "/p/ca.pem"), (["AWS_CA_BUNDLE": "/e/ca.pem"], "own", "/e/ca.pem"),
      (["AWS_CA_BUNDLE": "", "AWS_PROFILE": "own"], nil, "/p/ca.pem"),
      (["AWS_CA_BUNDLE": "/e/../f/ca.pem"], nil, "/f/ca.pem"),
    ] as [([String: String], String?, String?)])
  func certificates(environment: [String: String], profile: String?, file: String?) throws {
    var options = S3Options()
    options.profile = profile
    let request = try complete(environment, options)
    #expect(request.signature?.caBundle == file && request.caFile == nil)
    #expect(request.caFile(at: request.url) == nil && request.caFile(at: request.address) == file)
    // The option for the source takes precedence, and the file of the environment stays for a target.
    let given = try complete(environment, options) { $0.caFile = "/o/ca.pem" }
    #expect(given.caFile(at: given.address) == "/o/ca.pem" && given.signature?.caBundle == file)
  }

  @Test func certificatesOfARelativePath() throws {
    let file = try #require(complete(["AWS_CA_BUNDLE": "certs/ca.pem"]).signature?.caBundle)
    #expect(file.hasPrefix("/") && file.hasSuffix("/certs/ca.pem"))
  }

  @Test(
    arguments: [
      (["AWS_PROFILE": "nobody"], "is not in"), (["AWS_PROFILE": "role"], "export-credentials"),
      (["AWS_REGION": "a.b"], "the AWS region"), (["AWS_ENDPOINT_URL": "ftp://h/x"], "not a server of S3"),
      (["AWS_ENDPOINT_URL": "nonsense"], "the AWS endpoint"),
    ])
  func badSettings(environment: [String: String], says: String) {
    let failure = #expect(throws: Failure.self) { try complete(environment) }
    guard let failure else { return }
    #expect(failure.kind == .usage && failure.message(.plain).contains(says), "\(failure.message(.plain))")
  }

  @Test func othersAreLeftAlone() throws {
    let request = try complete(Self.keys, url: "https://h/a")
    #expect(request.signature == nil && request.credentials == nil)
  }
}
