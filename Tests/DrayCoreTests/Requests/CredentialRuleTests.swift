// Control characters in names and passwords are refused before a request.

import Testing

@testable import DrayCore

@Suite struct CredentialRuleTests {
  private func request(_ url: String, _ change: (inout TransferRequest) -> Void) throws -> TransferRequest {
    var request = TransferRequest(url: try RequestURL.parse(url).url)
    change(&request)
    return request
  }

  @Test(arguments: [
    ("joe", true), ("", true), ("jö e:@\t", true), ("joe\r\nDELE x", false), ("joe\n", false), ("\r", false),
    ("a\0b", false),
    ("\u{7F}", false), ("\u{1B}[2J", false),
  ])
  func texts(text: String, isSendable: Bool) throws {
    #expect(CredentialRule.isSendable(text) == isSendable)
    for url in ["ftp://h/f", "ftps://h/f", "http://h/f", "sftp://h/f"] {
      let asUser = try request(url) { $0.credentials = Credentials(user: text, password: "p") }
      let asPassword = try request(url) { $0.credentials = Credentials(user: "u", password: text) }
      let inNetrc = try request(url) { $0.netrcUser = text }
      for request in [asUser, asPassword, inNetrc] {
        #expect((SchemePolicy.objections(to: request).refusal == nil) == isSendable)
        #expect((CredentialRule.objection(to: request) == nil) == isSendable)
      }
    }
  }

  @Test func theSecretIsNotInTheMessage() throws {
    let request = try request("ftp://h/f") { $0.credentials = Credentials(user: "u", password: "hunter2\r\nDELE x") }
    let failure = #expect(throws: Failure.self) { try CredentialRule.check(request) }
    #expect(
      failure?.kind == .usage && failure?.description.contains("the password contains a control character") == true)
    #expect(failure?.description.contains("hunter2") == false)
  }

  @Test func proxiesAndTokens() throws {
    var options = AuthenticationOptions()
    options.proxyCredentials = Credentials(user: "u", password: "\n")
    #expect(CredentialRule.objection(to: try request("http://h/f") { $0.authentication = options }) != nil)
    options = AuthenticationOptions()
    options.bearer = "t\r\nX: y"
    #expect(CredentialRule.objection(to: try request("http://h/f") { $0.authentication = options }) != nil)
  }
}
