// Resumes behind redirects, and with a fresh link: R19, R20 of CASES.md.

import FaultServer
import Foundation
import Testing

@Suite("Resume behind redirects")
struct RedirectedResumeTests {
  @Test("R19 redirects are followed anew, and the edge's validators count", arguments: [true, false])
  func edge(isSameVersion: Bool) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let server = sandbox.server
      let second = isSameVersion ? ResumeCase.v1 : ResumeCase.v2
      server["/f"] = .init(
        ResumeCase.v1, script: [.redirect(to: "/edge-1/f"), .redirect(to: "/edge-2/f")])
      server["/edge-1/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      server["/edge-2/f"] = .init(second)
      let get = ["get", server.url("/f"), "--retry-wait", "0.05"]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0, saying: isSameVersion ? nil : "started over")
      sandbox.expectFiles(["f": second.content], finished)
      #expect(server.requests("/edge-1/f").count == 1)
      #expect(server.requests("/edge-2/f").first.map(ResumeCase.Ask.init) == ResumeCase.resume)
    }
  }

  @Test("R19 edges that never agree come to an end")
  func edgesThatNeverAgree() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let server = sandbox.server
      // Each answer is another version and is cut at the same place: no new ground is ever reached.
      server["/f"] = .init(
        ResumeCase.v1,
        script: (0..<40).map { index in
          Answer {
            $0.version = Version(ResumeCase.v1.content, etag: "\"edge-\(index)\"")
            $0.bodyCut = 100_000
          }
        })
      let finished = try await sandbox.dray("get", server.url("/f"), "--retry-wait", "0.01", "--retries", "3")
      #expect(finished.status != 0 && finished.status != nil, "\(finished)")
      #expect(server.requests("/f").count <= 10, "\(finished)")
    }
  }

  enum Link: Sendable, CaseIterable {
    case sameVersion, otherVersion
  }

  @Test("R20 an expired link, then `set-url`: the bytes are kept where they agree", arguments: Link.allCases)
  func freshLink(_ link: Link) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let server = sandbox.server
      let version = link == .sameVersion ? ResumeCase.v1 : ResumeCase.v2
      server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .status(403)])
      server["/fresh/f"] = .init(version)
      let get = ["get", server.url("/f")]
      let job = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      let expired = try await sandbox.dray(get)
      expect(expired, exits: 6, saying: "set-url")
      #expect(try await sandbox.onlyJob().error?.httpStatus == 403)

      expect(try await sandbox.dray("set-url", "\(job.id)", server.url("/fresh/f")), exits: 0)
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0, saying: link == .sameVersion ? nil : "started over")
      sandbox.expectFiles(["f": version.content], finished)
      if link == .sameVersion {
        #expect(server.requests("/fresh/f").map(\.bodySent) == [ResumeCase.size - job.received])
      }
    }
  }
}
