// The keys for discarding an upload whose job may be gone.

import DrayCore
import DrayKit
import Testing

@Suite struct UploadAccessTests {
  private static let bucket = "s3://bucket/p"

  private static func access(_ user: String?, at endpoint: String = "http://h:1", profile: String? = nil) throws
    -> ObjectAccess
  {
    var signature = AWSSignature(region: "eu-west-1")
    signature.endpoint = try RequestURL.parse(endpoint).url
    signature.profile = profile
    signature.sessionToken = user.map { "token of \($0)" }
    return ObjectAccess(signature: signature, credentials: user.map { Credentials(user: $0, password: "secret") })
  }

  /// Columns: the place of the job, the user of its keys, the server of its keys, and the user whose keys are used.
  @Test(
    arguments: [
      (bucket, "JOB", "http://h:1", "JOB"), ("s3://bucket/elsewhere", "JOB", "http://h:1", "JOB"),
      // The job now writes to another place, so its keys are not for this server.
      ("s3://other/p", "JOB", "http://h:1", "ENV"), (bucket, "JOB", "http://h:2", "ENV"),
      ("/data", "JOB", "http://h:1", "ENV"),
      // The job has no keys of its own, or is gone.
      (bucket, nil, "http://h:1", "ENV"), (nil, nil, "http://h:1", "ENV"),
    ] as [(String?, String?, String, String)])
  func theKeysOfTheJobComeFirst(_ place: String?, _ user: String?, _ server: String, _ expected: String) throws {
    var signature = try Self.access(nil).signature
    signature.sessionToken = nil
    let mark = UploadMark(place: Self.bucket, signature: signature, key: "p/f", id: "1", part: "part", startedAt: 0)
    let environment = try Self.access("ENV", at: "http://h:3")
    let job = try place.map { DirectoryPlace($0, access: try Self.access(user, at: server)) }
    let found = try #require(try mark.access(of: job) { () throws(Failure) in environment })
    #expect(found.credentials?.user == expected && found.signature.sessionToken == "token of \(expected)")
    #expect(found.signature.endpoint == signature.endpoint && found.signature.region == "eu-west-1")
  }

  @Test func keysOfAProfileAreLookedUpLater() throws {
    let signature = try Self.access(nil, profile: "work").signature
    let mark = UploadMark(place: Self.bucket, signature: signature, key: "p/f", id: "1", part: "part", startedAt: 0)
    let job = DirectoryPlace(Self.bucket, access: try Self.access("JOB"))
    let found = try #require(
      try mark.access(of: job) { () throws(Failure) in throw Failure(.other, "", "the environment was asked") })
    #expect(found == ObjectAccess(signature: signature))
    // Without a server, everything comes from the environment.
    let plain = UploadMark(place: Self.bucket, signature: nil, key: "p/f", id: "1", part: "part", startedAt: 0)
    #expect(try plain.access(of: job) { () throws(Failure) in throw Failure(.other, "", "asked") } == nil)
  }
}
