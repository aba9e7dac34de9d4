// Messages of browsers: frames, and downloads with cookies.

import Foundation

@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  static let browserMessages = FuzzTarget(
    "messages of browsers",
    words: [
      "{", "}", "[", "]", ",", ":", "\"id\": 1", "\"type\": \"add\"", "\"type\": \"relink\"", "\"job\": \"1\"",
      "\"url\": \"http://a.example/d/f\"", "\"name\": \"../a\"", "\"cookies\": [", "\"domain\": \".a.example\"",
      "\"value\": \"x\\r\\ny\"", "\"path\": \"/d\"", "\"hostOnly\": true", "\"secure\": true",
      "\"expirationDate\": 1e400",
      "\"referrer\": \"https://u:p@b.example/#x\"", "\"userAgent\": \"B\"", "null", "-1", "\\u0000",
    ],
    seeds: [
      #"{"id":1,"type":"add","url":"http://a.example/d/f","name":"f","cookies":[{"name":"a","value":"b","domain":"a.example"}]}"#,
      #"{"id":"x","type":"matches","url":"http://ann:pw@a.example/f","size":7}"#,
    ].map { Array($0.utf8) }, rounds: 800
  ) { (bytes: [UInt8]) throws(Violation) in
    let message = BrowserMessage(bytes, now: 1000)
    let order: BrowserOrder
    switch message.order {
    case .failure(let problem): return try holdPrintable(problem.message, "a reason")
    case .success(let one): order = one
    }
    try hold(message.id != nil, "an order has an id")
    guard case .add(let download) = order else { return }
    if let name = download.name { try holdName(name) }
    for text in [download.cookie, download.referer, download.userAgent].compactMap(\.self) {
      try hold(FieldRule.isValue(text), "the value of a field stays in its line: \(text)")
    }
    try hold(download.cookie?.utf8.count ?? 0 <= BrowserDownload.longestCookies, "cookies are bounded")
  }
}
