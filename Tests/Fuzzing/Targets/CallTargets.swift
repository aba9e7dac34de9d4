// Calls of aria2's clients: the parsed call, and the job from its options.

import Foundation

@testable import DrayCore
@testable import DrayDocuments
@testable import DrayServer

extension FuzzTarget {
  private static let callWords = [
    "{", "}", "[", "]", ",", ":", "\"id\"", "\"method\"", "\"params\"", "\"aria2.addUri\"", "\"system.multicall\"",
    "\"methodName\"", "\"token:x\"", "\"http://a.example/f\"", "\"file:///etc/passwd\"", "\"dir\"", "\"out\"",
    "\"../a\"",
    "\"/b\"", "\"header\"", "\"A: b\"", "\"A: b\\r\\nC: d\"", "\"split\"", "\"max-download-limit\"", "\"9M\"",
    "\"checksum\"",
    "\"all-proxy\"", "\"user-agent\"", "-1", "1e9", "null",
  ]

  static let calls = FuzzTarget(
    "calls of aria2's clients", words: callWords,
    seeds: [
      #"{"id":"a","method":"aria2.addUri","params":["token:x",["http://a.example/f"],{"dir":"b","out":"c/d"},0]}"#,
      #"[{"id":1,"method":"system.multicall","params":[[{"methodName":"aria2.tellStatus","params":["2"]}]]},{}]"#,
    ].map { Array($0.utf8) }, rounds: 800
  ) { (bytes: [UInt8]) throws(Violation) in
    let entries =
      switch RPCMessage(bytes) {
      case .one(let entry): [entry]
      case .batch(let entries): entries
      }
    for case .call(let call) in entries {
      var json = JSONText()
      json.value(call.id)
      guard let again = try? JSONNode.parse(json.bytes, kind: "an id") else {
        throw Violation("an id is JSON: \(json.text)")
      }
      var twice = JSONText()
      twice.value(again)
      try holdSame(json.text, twice.text, "an id is repeated as it is")
      var parameters = call.parameters
      _ = parameters.takeToken()
      for place in 0..<3 { try holdOptions(try? parameters.members(place)) }
      if let urls = try? JobURLs(parameters.strings(0)) {
        for url in urls.all { try hold(DocumentURL.schemes.contains(url.scheme), "nobody outside names \(url.string)") }
      }
    }
  }

  private static func holdOptions(_ members: [JSONNode.Member]?) throws(Violation) {
    guard let members, let values = try? Aria2Option.read(members, \.isOfJobs),
      let url = try? RequestURL.parse("http://a.example/f").url
    else { return }
    var job = JobSpecification(request: TransferRequest(url: url), directory: "/base")
    guard (try? OptionMeaning.apply(Set(values.keys), of: values, to: &job, [])) != nil else { return }
    try hold(job.directory.hasPrefix("/"), "a directory is absolute: \(job.directory)")
    try hold(!job.directory.split(separator: "/").contains(".."), "a directory leads nowhere else: \(job.directory)")
    if let output = job.output { try holdName(output) }
    try hold(job.request.proxy?.isEmpty ?? true, "nobody outside chooses a proxy")
    let lines =
      job.request.headers.flatMap { [$0.name, $0.value] }
      + [job.request.userAgent, job.request.referer].compactMap(\.self)
    for line in lines {
      try hold(!line.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\0" }, "a field stays one line")
    }
    var same = job
    let told = OptionMeaning.values(of: job, said: values)
    guard (try? OptionMeaning.apply(Set(told.keys), of: told, to: &same, [])) != nil else {
      throw Violation("what is told can be said: \(told)")
    }
  }

  static let queries = FuzzTarget(
    "calls in a query",
    words: [
      "method=", "&id=", "&params=", "&jsoncallback=", "%5B", "W10%3D", "e30=", "cb", "aria2.tellActive", "%00", "=",
      "&",
    ],
    seeds: ["method=aria2.tellStopped&id=a&params=WzAsIDEwXQ%3D%3D&jsoncallback=cb", "params=W10%3D"], rounds: 800
  ) { (text: String) throws(Violation) in
    guard let callback = RPCQuery(text).callback else { return }
    try hold(
      callback.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>;'\"/".utf8.contains($0) }, "a callback is a name")
  }

  static let methodCalls = FuzzTarget(
    "calls in XML-RPC",
    words: [
      "<", ">", "</", "<methodCall>", "<methodName>", "<params>", "<param>", "<value>", "<int>", "<struct>", "<member>",
      "<name>", "<array><data>", "<base64>", "<boolean>", "<nil/>", "&lt;", "<!DOCTYPE a [",
    ],
    seeds: [
      """
      <?xml version="1.0"?><methodCall><methodName>aria2.addUri</methodName><params><param><value><array><data>\
      <value><string>http://a.example/</string></value></data></array></value></param><param><value><struct><member>\
      <name>split</name><value><int>2</int></value></member></struct></value></param></params></methodCall>
      """
    ].map { Array($0.utf8) }, rounds: 250
  ) { (bytes: [UInt8]) throws(Violation) in
    guard let call = try? MethodCall.parse(bytes) else { return }
    try hold(!call.method.isEmpty, "a method has a name")
    for parameter in call.parameters { try holdOptions(parameter.object) }
  }
}
