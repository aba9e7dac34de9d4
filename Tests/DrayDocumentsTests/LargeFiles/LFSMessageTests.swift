// The lines between git-lfs and its agent.

import DrayCore
import DrayDocuments
import Testing

@Suite("Lines of git-lfs")
struct LFSMessageTests {
  static let oid = String(repeating: "0a", count: 32)

  @Test(
    "messages",
    arguments: [
      (
        #"{"event":"init","operation":"download","remote":"up","concurrent":true,"concurrenttransfers":3}"#,
        LFSMessage.begin(LFSRun(remote: "up", transfers: 3))
      ),
      (#"{ "event": "init", "operation": "download", "concurrent": true }"#, .begin(LFSRun())),
      (
        #"{"event":"init","operation":"upload","remote":"","concurrenttransfers":100000}"#,
        .begin(LFSRun(isUpload: true, transfers: 64))
      ),
      (
        #"{"event":"download","oid":"\#(oid)","size":0,"action":null}"#, .download(LFSObject(oid: oid, size: 0))
      ),
      (
        #"{"event":"download","oid":"\#(oid)","size":9,"path":"/etc","action":{"href":"file:///etc"}}"#,
        .download(LFSObject(oid: oid, size: 9))
      ),
      (#"{"event":"upload","oid":"\#(oid)","size":9,"path":"x"}"#, .upload(oid: oid)),
      (#"{"event":"terminate"}"#, .terminate),
    ])
  func messages(line: String, message: LFSMessage) throws {
    #expect(try LFSMessage.parse(line.utf8) == message)
  }

  @Test(
    "lines that are no messages",
    arguments: [
      "", "{", "[]", "{}", #"{"event":7}"#, #"{"event":"delete"}"#, #"{"event":"download","size":1}"#,
      #"{"event":"download","oid":"../../x","size":1}"#,
      #"{"event":"download","oid":"\#(oid.uppercased())","size":1}"#, #"{"event":"download","oid":"\#(oid)"}"#,
      #"{"event":"download","oid":"\#(oid)","size":-1}"#, #"{"event":"download","oid":"\#(oid)","size":1.5}"#,
      #"{"event":"download","oid":"\#(oid)0","size":1}"#,
      #"{"event":"terminate","x":""# + String(repeating: "x", count: LFSMessage.longest) + #""}"#,
    ])
  func refused(line: String) {
    #expect(throws: DocumentError.self) { try LFSMessage.parse(line.utf8) }
  }

  @Test(
    "replies are one line each",
    arguments: [
      (LFSReply.ready, "{}"),
      (.refused(LFSProblem(code: 2, message: "no\n\"x\"")), #"{"error":{"code":2,"message":"no\n\"x\""}}"#),
      (
        .progress(oid: "a", received: 7, since: 3),
        #"{"event":"progress","oid":"a","bytesSoFar":7,"bytesSinceLast":3}"#
      ),
      (.complete(oid: "a", path: "/x y"), #"{"event":"complete","oid":"a","path":"/x y"}"#),
      (
        .failed(oid: "a", LFSProblem(code: 404, message: "gone")),
        #"{"event":"complete","oid":"a","error":{"code":404,"message":"gone"}}"#
      ),
    ])
  func replies(reply: LFSReply, line: String) {
    let text = String(decoding: reply.json.bytes, as: UTF8.self)
    #expect(text == line + "\n" || text.replacing("\\u000a", with: "\\n") == line + "\n")
  }
}
