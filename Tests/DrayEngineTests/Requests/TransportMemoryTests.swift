// Learnt facts about reaching hosts, and their effect on the next request.

import DrayCore
import Synchronization
import Testing

@testable import DrayEngine

@Suite struct TransportMemoryTests {
  private let head = ResponseHead(
    status: 200,
    fields: [HeaderField("Alt-Svc", "h3=\":443\"; ma=600"), HeaderField("Strict-Transport-Security", "max-age=600")])

  @Test("an offer of HTTP/3 is remembered and used, if libcurl has it and the certificate was checked")
  func http3() throws {
    let url = try RequestURL.parse("https://h.example/f").url
    for (isPossible, isInsecure) in [(true, false), (true, true), (false, false)] {
      let news = Mutex<[TransportMemory.News]>([])
      let memory = TransportMemory(isHTTP3Possible: isPossible) { one in news.withLock { $0.append(one) } }
      #expect(memory.version(nil, for: url) == nil)
      memory.learn(from: head, of: url, isInsecure: isInsecure)
      memory.learn(from: head, of: url, isInsecure: isInsecure)
      #expect(memory.version(nil, for: url) == (isPossible && !isInsecure ? .http3 : nil))
      #expect(memory.version(.http11, for: url) == .http11)
      #expect(news.withLock(\.count) == (isInsecure ? 0 : isPossible ? 2 : 1))
      let plain = try RequestURL.parse("http://h.example/f").url
      #expect(memory.upgraded(plain).scheme == (isInsecure ? "http" : "https"))
    }
  }

  @Test("a remembered offer is used from the start")
  func remembered() throws {
    let memory = TransportMemory(
      http3: [AltSvcEntry(origin: "https://h.example", expiresAt: 1e12)], isHTTP3Possible: true)
    #expect(memory.version(nil, for: try RequestURL.parse("https://h.example/f").url) == .http3)
    #expect(memory.version(nil, for: try RequestURL.parse("https://h.example:8443/f").url) == nil)
  }
}
