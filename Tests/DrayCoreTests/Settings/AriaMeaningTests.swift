// The options of aria2 that dray has in another form.

import DrayCore
import Testing

@Suite struct AriaMeaningTests {
  private static let most = JobOptions.retryRange.upperBound

  @Test(arguments: [(0, most), (1, 0), (5, 4), (most, most - 1), (most + 1, most), (Int.max, most), (-3, 0)])
  func retries(tries: Int, expected: Int) {
    #expect(AriaMeaning.retries(tries: tries) == expected)
    if (1...Self.most).contains(tries) { #expect(AriaMeaning.tries(retries: expected) == tries) }
  }

  @Test func noLimitStaysNone() {
    #expect(AriaMeaning.tries(retries: AriaMeaning.retries(tries: 0)) == 0)
  }

  @Test(arguments: [
    ([], nil), ([4], 4), ([5, 1], 1), ([2, 9], 2), ([1000, 2000], JobOptions.connectionRange.upperBound),
  ])
  func connections(limits: [Int], expected: Int?) {
    #expect(AriaMeaning.connections(limits) == expected)
  }

  @Test(arguments: [
    (true, true, ConflictPolicy.overwrite), (true, false, .overwrite), (false, true, .rename), (false, false, .fail),
  ])
  func conflict(overwrites: Bool, renames: Bool, expected: ConflictPolicy) {
    #expect(AriaMeaning.conflict(overwrites: overwrites, renames: renames) == expected)
  }

  @Test(arguments: [
    ("http", "http-proxy", "http"), ("https", "https-proxy", "http"), ("ftp", "ftp-proxy", "ftp"),
    ("ftps", "ftp-proxy", "ftp"), ("sftp", "ftp-proxy", "ftp"),
  ])
  func names(scheme: String, proxy: String, account: String) {
    #expect(AriaMeaning.proxies(for: scheme) == [proxy, "all-proxy"])
    #expect(AriaMeaning.account(for: scheme) == account)
  }
}
