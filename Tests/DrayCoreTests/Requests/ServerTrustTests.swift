// Which certificates requests to S3 trust.

import DrayCore
import FoundationEssentials
import Testing

@Suite struct ServerTrustTests {
  @Test(
    "a target trusts the file of the environment or the profile, else what the options say",
    arguments: [
      (nil, nil, false, nil, false), ("/b", nil, false, "/b", false), (nil, "/o", false, "/o", false),
      (nil, nil, true, nil, true), (nil, "/o", true, "/o", true), ("/b", "/o", false, "/b", false),
      ("/b", nil, true, "/b", false),
    ] as [(String?, String?, Bool, String?, Bool)])
  func target(bundle: String?, caFile: String?, isInsecure: Bool, file: String?, isUnchecked: Bool) throws {
    var access = ObjectAccess(signature: AWSSignature())
    access.signature.caBundle = bundle
    access.signature.trust = ServerTrust(caFile: caFile, isInsecure: isInsecure)
    let request = TransferRequest(.head("k"), bucket: "bucket", access, content: "hash")
    #expect(request.caFile(at: request.url) == file && request.isInsecure == isUnchecked)
  }

  @Test func theUsualTrustIsNone() {
    #expect(ServerTrust(caFile: nil) == nil && ServerTrust(caFile: nil, isInsecure: false) == nil)
    #expect(ServerTrust(caFile: "/c", isInsecure: false)?.isInsecure == nil)
  }

  @Test(
    "a source trusts the file of an option, else that of the signature, which is for no other server",
    arguments: [(nil, nil, nil), ("/o", nil, "/o"), (nil, "/b", "/b"), ("/o", "/b", "/o")]
      as [(String?, String?, String?)])
  func source(caFile: String?, bundle: String?, file: String?) throws {
    var request = TransferRequest(url: try RequestURL.parse("s3://bucket/k").url)
    var signature = AWSSignature()
    signature.endpoint = try RequestURL.parse("https://h.example:9000").url
    signature.caBundle = bundle
    (request.signature, request.caFile) = (signature, caFile)
    #expect(request.caFile(at: try RequestURL.parse("https://h.example:9000/x").url) == file)
    #expect(request.caFile(at: try RequestURL.parse("https://other.example/x").url) == caFile)
  }

  @Test("accesses with different trust are different, so that they do not share a client")
  func clients() {
    let trusts = [
      nil, ServerTrust(caFile: "/a"), ServerTrust(caFile: "/b"), ServerTrust(caFile: nil, isInsecure: true),
    ]
    let accesses = trusts.map { trust in
      var access = ObjectAccess(signature: AWSSignature())
      access.signature.trust = trust
      return access
    }
    #expect(Set(accesses).count == trusts.count)
  }

  @Test func areStoredWithTheJob() throws {
    var access = ObjectAccess(signature: AWSSignature())
    let plain = try JSONEncoder().encode(access)
    #expect(!String(decoding: plain, as: UTF8.self).contains("trust"))
    access.signature.caBundle = "/b"
    access.signature.trust = ServerTrust(caFile: "/o", isInsecure: true)
    #expect(try JSONDecoder().decode(ObjectAccess.self, from: JSONEncoder().encode(access)) == access)
    // Rows of older versions have neither.
    let old = try JSONDecoder().decode(
      ObjectAccess.self, from: Data(#"{"signature":{"region":"r","service":"s3"}}"#.utf8))
    #expect(old.signature.caBundle == nil && old.signature.targetTrust == nil)
  }

  @Test(
    "changed options are for the target as well, and others leave it",
    arguments: [
      ([], nil, false), (["cacert"], "/o", false), (["insecure"], nil, true),
      (["cacert", "insecure", "dir"], "/o", true),
    ] as [(Set<String>, String?, Bool)])
  func changes(settings: Set<String>, file: String?, isUnchecked: Bool) throws {
    let url = try RequestURL.parse("https://h/f").url
    var job = JobSpecification(request: TransferRequest(url: url), directory: "s3://bucket/p")
    (job.request.caFile, job.request.isInsecure) = ("/o", true)
    job.trustTarget(changing: settings)
    #expect(job.options.object == nil)
    job.objectOptions.access = ObjectAccess(signature: AWSSignature())
    job.trustTarget(changing: settings)
    let trust = job.place.access?.signature.targetTrust
    #expect(trust == ServerTrust(caFile: file, isInsecure: isUnchecked))
    (job.request.caFile, job.request.isInsecure) = (nil, false)
    job.trustTarget(changing: settings)
    #expect(job.place.access?.signature.targetTrust == nil)
  }
}
