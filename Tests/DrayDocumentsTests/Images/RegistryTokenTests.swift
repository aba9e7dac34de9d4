// Challenges, tokens and accounts of registries.

import DrayCore
import DrayDocuments
import Testing

@Suite("Tokens of registries")
struct RegistryTokenTests {
  private func challenge(_ values: [String]) -> RegistryChallenge? {
    RegistryChallenge.of(ResponseHead(status: 401, fields: values.map { HeaderField("WWW-Authenticate", $0) }))
  }

  private func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  @Test("challenges")
  func challenges() throws {
    let hub = "Bearer realm=\"https://auth.example/token\",service=\"reg.example\",scope=\"repository:a/b:pull,push\""
    let expected = RegistryChallenge.bearer(
      realm: try url("https://auth.example/token"), service: "reg.example", scope: "repository:a/b:pull,push")
    #expect(challenge([hub]) == expected)
    #expect(challenge(["Basic realm=\"x\"", hub]) == expected)
    #expect(challenge(["basic realm=\"x, Bearer\""]) == .basic)
    #expect(challenge(["Basic realm=\"x\", \(hub)"]) == expected)
    #expect(challenge(["bearer  realm = \"http://127.0.0.1:1/t\\\"\""]) != nil)
    #expect(
      challenge(["Bearer realm=https://auth.example/token"])
        == .bearer(realm: try url("https://auth.example/token"), service: nil, scope: nil))
  }

  @Test(
    "challenges that get nothing",
    arguments: [
      [], ["Negotiate"], ["Bearer"], ["Bearer realm=\"\""], ["Bearer realm=\"http://auth.example/t\""],
      ["Bearer realm=\"ftp://auth.example/t\""], ["Bearer realm=\"http://127.0.0.1.example/t\""], ["=", ",,"],
    ])
  func unusable(values: [String]) {
    #expect(challenge(values) == nil)
  }

  @Test("a request by GET has the password in a field, one with an identity token is a form")
  func requests() throws {
    let realm = try url("https://auth.example/token?x=1")
    let account = RegistryAccount.password(user: "ann", secret: "p:w")
    let get = try #require(
      RegistryTokenRequest(realm, service: "a b", scope: "repository:a/b:pull", account: account))
    #expect(get.url.string == "https://auth.example/token?x=1&service=a+b&scope=repository%3Aa%2Fb%3Apull")
    #expect(get.authorization == "Basic YW5uOnA6dw==" && get.form == nil)
    let none = try #require(
      RegistryTokenRequest(try url("https://auth.example/token"), service: nil, scope: "s", account: nil))
    #expect(none.url.string == "https://auth.example/token?scope=s" && none.authorization == nil)
    let post = try #require(RegistryTokenRequest(realm, service: "s", scope: "x", account: .identity("i&d")))
    #expect(post.url == realm && post.authorization == nil)
    #expect(
      post.form.map { String(decoding: $0, as: UTF8.self) }
        == "service=s&scope=x&grant_type=refresh_token&client_id=dray&refresh_token=i%26d")
  }

  @Test(
    "answers of token servers",
    arguments: [
      ("{\"token\": \"abc\", \"expires_in\": 300}", RegistryToken(text: "abc", life: 300)),
      ("{\"access_token\": \"abc\"}", RegistryToken(text: "abc", life: 60)),
      ("{\"token\": \"\", \"access_token\": \"d\", \"expires_in\": -5}", RegistryToken(text: "d", life: 1)),
      ("{\"token\": \"a\", \"expires_in\": 1e15}", RegistryToken(text: "a", life: 86_400)),
      ("{}", nil), ("[]", nil), ("{\"token\": \"a b\"}", nil), ("{\"token\": \"a\\r\\nX: y\"}", nil), ("<html>", nil),
    ] as [(String, RegistryToken?)])
  func answers(text: String, token: RegistryToken?) {
    #expect((try? RegistryToken.parse(Array(text.utf8))) == token)
  }
}

@Suite("Accounts of registries")
struct RegistryAccountsTests {
  static let text = """
    {"auths": {
      "https://index.docker.io/v1/": {"auth": "aHViOmh1Yi1wdw=="}, "reg.example": {"auth": "YW5uOnB3AAA="},
      "reg.example/team/app": {"auth": "dGVhbTpwdw"}, "reg.example:5000": {"username": "u", "password": "p"},
      "ghcr.example": {"auth": "eDo=", "identitytoken": "ID"}, "empty.example": {}, "bad.example": {"auth": "%%%"},
      "raw.example": {"registrytoken": "RT"}, "HTTPS://UPPER.example/v2/": {"auth": "YW5uOnB3"}
     },
     "credHelpers": {"gcr.example": "gcloud", "evil.example": "../x", "slash.example": "a/b"}, "credsStore": "desktop"}
    """

  private func first(_ name: String, _ text: String = text) throws -> RegistryAccounts.Place? {
    try RegistryAccounts(text).places(try ImageReference.parse(name)).first
  }

  @Test("the account for an image")
  func accounts() throws {
    func password(_ user: String, _ secret: String) -> RegistryAccounts.Place {
      .account(.password(user: user, secret: secret))
    }
    #expect(try first("debian") == password("hub", "hub-pw"))
    #expect(try first("reg.example/a") == password("ann", "pw"))
    #expect(try first("reg.example/team/app") == password("team", "pw"))
    #expect(try first("reg.example/team/app/sub:1") == password("team", "pw"))
    #expect(try first("reg.example/team/apple") == password("ann", "pw"))
    #expect(try first("reg.example:5000/a") == password("u", "p"))
    #expect(try first("ghcr.example/a") == .account(.identity("ID")))
    #expect(try first("raw.example/a") == .account(.token("RT")))
    for name in ["empty.example", "bad.example", "other.example"] {
      #expect(try first("\(name)/a") == .helper(name: "desktop", key: name))
    }
  }

  @Test("helper programs go before accounts; their names are no paths")
  func helpers() throws {
    #expect(try first("gcr.example/a") == .helper(name: "gcloud", key: "gcr.example"))
    #expect(try first("evil.example/a") == .helper(name: "desktop", key: "evil.example"))
    #expect(try first("slash.example/a") == .helper(name: "desktop", key: "slash.example"))
    #expect(try first("debian", "{\"credsStore\": \"x\"}") == .helper(name: "x", key: "https://index.docker.io/v1/"))
    #expect(try first("debian", "{\"credsStore\": \"../x\"}") == nil)
    #expect(throws: DocumentError.self) { try first("debian", "{") }
  }

  @Test("answers of helper programs")
  func answers() {
    func answer(_ text: String) -> RegistryAccount? { RegistryAccounts.answer(of: Array(text.utf8)) }
    #expect(answer("{\"ServerURL\":\"x\",\"Username\":\"u\",\"Secret\":\"s\"}\n") == .password(user: "u", secret: "s"))
    #expect(answer("{\"Username\":\"<token>\",\"Secret\":\"s\"}") == .identity("s"))
    #expect(answer("{\"Username\":\"u\",\"Secret\":\"\"}") == nil)
    #expect(answer("credentials not found in native keychain") == nil)
  }
}
