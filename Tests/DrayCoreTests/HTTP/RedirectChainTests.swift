// The redirects of a request: counted, limited, restarted.

import DrayCore
import Testing

@Suite struct RedirectChainTests {
  private func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  private func redirect(to location: String) -> ResponseHead {
    ResponseHead(status: 302, fields: [HeaderField("Location", location)])
  }

  private var page: ResponseHead {
    ResponseHead(
      status: 200, fields: [HeaderField("Content-Type", "text/html"), HeaderField("Refresh", "3; url=/file")])
  }

  @Test func whatIsNoRedirectIsNoStep() throws {
    let chain = RedirectChain(from: try url("http://h/a"), followsPages: true)
    for status in [200, 206, 300, 304, 401, 404, 500] {
      #expect(chain.step(after: ResponseHead(status: status, fields: [HeaderField("Location", "/b")])) == nil)
    }
  }

  @Test func hopsAreCountedUpToTheLimit() throws {
    var chain = RedirectChain(from: try url("http://h/0"), limit: 2, followsPages: false)
    for hop in 1...2 {
      let head = redirect(to: "/\(hop)")
      let target = try url("http://h/\(hop)")
      #expect(chain.step(after: head) == .follow(target, delay: 0))
      chain.go(to: target, after: head)
    }
    #expect(chain.url.string == "http://h/2")
    #expect(chain.hops.map(\.url.string) == ["http://h/0", "http://h/1"])
    #expect(chain.step(after: redirect(to: "/3")) == .refuse("it redirects more than 2 times"))
  }

  @Test func aSchemeThatIsNotAllowedIsNotFollowed() throws {
    let start = try url("http://h/0")
    let chain = RedirectChain(from: start, schemes: ["http"], followsPages: true)
    #expect(chain.step(after: redirect(to: "/1")) == .follow(try url("http://h/1"), delay: 0))
    #expect(
      chain.step(after: redirect(to: "https://h/1")) == .refuse("it redirects to https, which is not allowed"))
  }

  @Test func aLoopIsNamed() throws {
    var chain = RedirectChain(from: try url("http://h/a?token=s3cret"), limit: 2, followsPages: false)
    for target in ["http://h/b", "http://h/a?token=s3cret"] {
      chain.go(to: try url(target), after: redirect(to: target))
    }
    #expect(chain.isLoop)
    #expect(chain.step(after: redirect(to: "/b")) == .refuse("redirect loop at http://h/a?token=…"))
  }

  @Test func aRestartBeginsAtTheFirstURLAndCountsFromThere() throws {
    let start = try url("http://h/0")
    var chain = RedirectChain(from: start, limit: 1, followsPages: false)
    chain.go(to: try url("http://h/1"), after: redirect(to: "/1"))
    chain.restart()
    #expect(chain == RedirectChain(from: start, limit: 1, followsPages: false))
    #expect(chain.step(after: redirect(to: "/1")) == .follow(try url("http://h/1"), delay: 0))
  }

  @Test func pagesAreFollowedWhereTheyCount() throws {
    let start = try url("http://h/page")
    #expect(
      RedirectChain(from: start, followsPages: true).step(after: page) == .follow(try url("http://h/file"), delay: 3))
    #expect(RedirectChain(from: start, followsPages: false).step(after: page) == nil)
    #expect(
      RedirectChain(from: start, limit: 0, followsPages: true).step(after: page)
        == .refuse("redirects are not allowed"))
  }
}
