// Digests in header fields, and in lists next to files.

import DrayDocuments

@testable import DrayCore

extension FuzzTarget {
  static let offeredDigests = FuzzTarget(
    "fields of digests",
    words: [
      "Repr-Digest: ", "Content-Digest: ", "Digest: ", "Content-MD5: ", "x-goog-hash: ", "x-amz-checksum-crc32c: ",
      "sha-256=:", ":", "=", ",", ";a=\"\\\"\"", "md5=", "SHA-256=", "AAAA", "==", "\n",
    ],
    seeds: [
      "Repr-Digest: sha-256=:WJG1tSLV3whtD/CxEPvZ0hu0/HFjrzTQgoai6Eb2viI=:", "Content-MD5: sZRqySSS0jR8YjW00mEhhA==",
      "Digest: SHA-256=WJG1tSLV3whtD/CxEPvZ0hu0/HFjrzTQgoai6Eb2viI=,MD5=sZRqySSS0jR8YjW00mEhhA==",
    ]
  ) { (text: String) throws(Violation) in
    let fields = text.split(separator: "\n").map { line -> HeaderField in
      let name = line.prefix { $0 != ":" }
      return HeaderField(String(name), String(line[name.endIndex...].dropFirst().trimmingSpaces()))
    }
    let offered = ResponseHead(status: 200, fields: fields).offeredDigests
    for one in offered {
      try hold(one.digest.bytes.count == one.digest.algorithm.byteCount, "a digest has the length of its algorithm")
      try hold(fields.contains { $0.isNamed(one.source.rawValue) }, "its source is a field that is there")
      try hold((try? DigestValue.parse(one.digest.description)) == one.digest, "reads what it writes")
    }
    let part = ResponseHead(status: 206, fields: fields).offeredDigests
    try hold(part.allSatisfy(offered.contains), "a part offers no more than the whole does")
    if let best = offered.best { try hold(offered.contains(best), "the best is one of them") }
  }

  static let digestLists = FuzzTarget(
    "lists of digests",
    words: [
      "SHA256 (", ") = ", "  ", " *", "\\", "\n", "\r\n", "f", "./", "dir/", "- ", "-----BEGIN PGP SIGNED MESSAGE-----",
      "-----BEGIN PGP SIGNATURE-----", "d41d8cd98f00b204e9800998ecf8427e",
    ],
    seeds: ["d41d8cd98f00b204e9800998ecf8427e  f\n", "MD5 (f) = d41d8cd98f00b204e9800998ecf8427e\n"]
  ) { (text: String) throws(Violation) in
    guard let list = try? DigestList.parse(Array(text.utf8)) else { return }
    try hold(!list.entries.isEmpty, "a list has entries")
    for isOwn in [false, true] {
      guard let digest = list.digest(of: "f", isOwn: isOwn) else { continue }
      try hold(list.entries.contains { $0.digest == digest }, "what is found stands there")
      try hold(isOwn || list.entries.contains { $0.name?.hasSuffix("f") ?? false }, "what is found has the name")
    }
  }
}
